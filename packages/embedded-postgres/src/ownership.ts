import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { connect } from './connect.ts';
import { DataDirInUse, hasCode } from './errors.ts';
import { isAlive } from './processes.ts';

/** Any fixed pair: nothing else locks in the maintenance database of this cluster. */
const LOCK = [20_260_718, 1];
const NAME = 'embedded-postgres owner';

/** A killed owner's connection ends a moment after it; the lock of a living owner is trusted almost at once. */
const GRACE_DEAD_MS = 10_000;
const GRACE_LIVING_MS = 300;
const RETRY_MS = 50;
const REGAIN_MS = 250;
const TOO_MANY_CONNECTIONS = '53300';

/**
 * The ownership of a server by this process alone: an advisory lock on a connection of its own. It ends with
 * the process, however that ends, and needs no file that could be left behind.
 */
export class Ownership {
  readonly #url: string;
  #client: pg.Client | undefined;
  #released = false;

  private constructor(url: string) {
    this.#url = url;
  }

  /** @throws DataDirInUse if another process holds it. */
  static async claim(url: string, dataDir: string): Promise<Ownership> {
    const ownership = new Ownership(url);
    const begin = performance.now();
    for (;;) {
      const holder = await ownership.#tryLock();
      if (holder === undefined) return ownership;
      const grace = holder.pid && !isAlive(holder.pid) ? GRACE_DEAD_MS : GRACE_LIVING_MS;
      if (performance.now() - begin > grace) throw new DataDirInUse(dataDir, holder.pid);
      await delay(RETRY_MS);
    }
  }

  /** Ends monitoring of the connection, before the server is stopped; true if this process still owns the server. */
  async prepareStop(): Promise<boolean> {
    this.#released = true;
    if (await this.#holds()) return true;
    try {
      const holder = await this.#tryLock();
      // Our own id: a try to regain it was under way and has succeeded.
      return holder === undefined || holder.pid === process.pid;
    } catch {
      return false;
    }
  }

  /** Checked by a query: a process that was stopped does not know yet that its connection, and the lock, ended. */
  async #holds(): Promise<boolean> {
    if (this.#client === undefined) return false;
    return this.#client.query('select 1').then(
      () => true,
      () => false,
    );
  }

  async release(): Promise<void> {
    this.#released = true;
    await this.#client?.end();
  }

  /** Undefined once the lock is ours, else who holds it. */
  async #tryLock(): Promise<{ pid?: number } | undefined> {
    let client: pg.Client;
    try {
      client = await connect(this.#url, `${NAME} ${process.pid}`);
    } catch (error) {
      // So many connections are only open while a service works.
      if (hasCode(error, TOO_MANY_CONNECTIONS)) return {};
      throw error;
    }
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', LOCK);
    if (rows[0]?.locked) {
      this.#client = client;
      client.once('end', () => void this.#regain());
      return undefined;
    }
    const pid = await holderOf(client);
    await client.end();
    return { pid };
  }

  /** After a restart of the server: the lock again; another process that was faster is the owner. */
  async #regain(): Promise<void> {
    this.#client = undefined;
    while (!this.#released) {
      await delay(REGAIN_MS, undefined, { ref: false });
      if (this.#released) return;
      try {
        if ((await this.#tryLock()) === undefined) break;
      } catch {
        // Not up yet.
      }
    }
    if (this.#released) await this.release();
  }
}

async function holderOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name
       from pg_locks l
       join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.classid = $1 and l.objid = $2 and l.granted`,
    LOCK,
  );
  const pid = Number(rows[0]?.name.slice(NAME.length));
  return pid > 0 ? pid : undefined;
}

import { Client, type ClientBase, Pool, type PoolClient, type QueryArrayConfig, type QueryResultRow } from 'pg';
import { Overloaded, ServiceUnavailable } from '../errors/index.js';
import { classifyFault, isConnectionFault } from './faults.js';
import { LookUps } from './look-ups.js';
import { PipelinedConnection } from './pipelined-connection.js';
import type { PipelinedStatement } from './statement-group.js';
import { PLAN_ONCE, serviceConnection, type SessionSettings } from './connection-settings.js';

/** 503 for a read: the database is away or too busy. */
export class DatabaseUnavailable extends ServiceUnavailable {
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super('The database is not available at the moment.');
    this.cause = cause;
  }
}

/** Statements that may wait for a connection of the readers' pool; more of them would only wait in vain. */
const MOST_WAITING = 500;
const READ_LIMITS = { statementTimeout: 10_000, lockTimeout: 2_000, idleInTransaction: 10_000 };
/** What is told is nothing to keep: nobody need wait for the disk. */
const NEWS = { ...READ_LIMITS, waitsForDisk: false };
const LANE = { statementTimeout: 5_000, lockTimeout: 4_000, idleInTransaction: 5_000 };

/** Somewhere to read: `Database` itself for requests, whose faults are answered with 503, or its `inBackground`. */
export interface Reads {
  query<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]>;
}

/** Access to PostgreSQL as the service's role. Nothing connects before it is first used. */
export class Database implements Reads {
  readonly #url: string;
  readonly #pool: Pool;
  readonly #background: Pool;
  readonly #registry: Pool;
  readonly #lookUps: LookUps;
  /** Reads that must not wait for those of requests: followers' and workers'. */
  readonly inBackground: Reads = {
    query: <Row extends QueryResultRow>(statement: PipelinedStatement) => this.backgroundQuery<Row>(statement),
  };

  /** @param onIdleError told of connections that break while nobody uses them */
  constructor(url: string, onIdleError: (error: Error) => void) {
    this.#url = url;
    const settings = (purpose: string) => ({
      ...serviceConnection(url, purpose, READ_LIMITS),
      onConnect: async (client: ClientBase) => void (await client.query(PLAN_ONCE)),
    });
    this.#pool = new Pool({ ...settings('reads'), max: 10 });
    this.#background = new Pool({ ...settings('background'), max: 10, pipeline: true });
    this.#registry = new Pool({ ...settings('registry'), max: 1 });
    this.#lookUps = new LookUps(() => this.#open('look-ups', READ_LIMITS), 2);
    for (const pool of this.#pools()) {
      pool.on('error', (error: Error & { client?: unknown }) => {
        // The pool adds the connection, with the key that cancels its statements: nothing for a log.
        delete error.client;
        onIdleError(error);
      });
      // A connection may break while it is lent out and between two statements: its next statement fails, and
      // that is enough. Without a listener the process would end.
      pool.on('connect', (client) => client.on('error', () => undefined));
    }
  }

  /**
   * Runs one reading statement and gives its rows.
   * @throws DatabaseUnavailable when the moment is at fault, not the statement; Overloaded when too many wait already
   */
  async query<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    if (this.#pool.waitingCount >= MOST_WAITING) throw new Overloaded('Too many requests are waiting. Try again.');
    try {
      const result = await this.#pool.query<Row>({ ...statement });
      return result.rows;
    } catch (error) {
      throw classifyFault(error) === 'transient' ? new DatabaseUnavailable(error) : error;
    }
  }

  /**
   * Rows by their keys, together with those that other requests ask for at the same time.
   * @throws as `query`
   */
  async lookUp<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    if (this.#lookUps.waiting >= MOST_WAITING) throw new Overloaded('Too many requests are waiting. Try again.');
    try {
      return (await this.#lookUps.find(statement)) as Row[];
    } catch (error) {
      throw classifyFault(error) === 'transient' ? new DatabaseUnavailable(error) : error;
    }
  }

  /** One statement on the background pool, so that followers of the log never wait for requests, nor these for them. */
  async backgroundQuery<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    const result = await this.#background.query<Row>({ ...statement });
    return result.rows;
  }

  /**
   * One statement on a connection that only the registry's follower uses: it must not wait for anybody, for without it
   * the process trusts nothing that it knows, and refuses to serve.
   */
  async registryQuery<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    const result = await this.#registry.query<Row>({ ...statement });
    return result.rows;
  }

  /** As `backgroundQuery`, but nothing is parsed: rows are arrays, every value is PostgreSQL's own text of it. */
  async backgroundTexts({ name, text, values }: PipelinedStatement): Promise<(string | null)[][]> {
    const types = { getTypeParser: () => (value: unknown) => value };
    const config: QueryArrayConfig = { name, text, values, types, rowMode: 'array' };
    const result = await this.#background.query<(string | null)[]>(config);
    return result.rows;
  }

  /** Runs `work` in one transaction of the background pool; whatever it throws rolls back. */
  async transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#background.connect();
    let broken: Error | undefined;
    try {
      // Travels with the first statement: connections of this pool do not wait for one answer before they send on.
      const begun = client.query('begin');
      begun.catch(() => undefined);
      const result = await work(client);
      await begun;
      await client.query('commit');
      return result;
    } catch (error) {
      // A connection that gave no answer is not asked once more: it is given up, and the server rolls back.
      if (isConnectionFault(error)) broken = error as Error;
      else await client.query('rollback').catch((failure: unknown) => (broken = failure as Error));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** A connection of a write lane: its own, so that nothing else can make it wait. */
  openLane(): Promise<PipelinedConnection> {
    return this.#open('lane', LANE);
  }

  /** A connection that listens to channels; `lost` is called once when it breaks. */
  async listen(
    channels: readonly string[],
    on: { message: (channel: string, payload: string) => void; lost: () => void },
  ): Promise<{ notify(channel: string, payload: string): Promise<void>; close(): Promise<void> }> {
    const client = new Client(serviceConnection(this.#url, 'news', NEWS));
    let listening = false;
    const lose = () => {
      if (listening) on.lost();
      listening = false;
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ channel, payload }) => on.message(channel, payload ?? ''));
    try {
      await client.connect();
      for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      // A standby lets everybody in and refuses this: one connection more with every try would fill the server.
      await client.end().catch(() => undefined);
      throw error;
    }
    listening = true;
    return {
      notify: async (channel, payload) => void (await client.query('select pg_notify($1, $2)', [channel, payload])),
      close: () => {
        listening = false;
        return client.end();
      },
    };
  }

  /** Connections in use, idle and waited for, by pool. */
  poolSizes(): Record<'reads' | 'background', { total: number; idle: number; waiting: number }> {
    const sizes = (pool: Pool) => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount });
    return { reads: sizes(this.#pool), background: sizes(this.#background) };
  }

  async close(): Promise<void> {
    await Promise.all([this.#lookUps.close(), ...this.#pools().map((pool) => pool.end())]);
  }

  async #open(purpose: string, settings: SessionSettings): Promise<PipelinedConnection> {
    const connection = await PipelinedConnection.open(serviceConnection(this.#url, purpose, settings));
    try {
      await connection.query(PLAN_ONCE);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  #pools(): Pool[] {
    return [this.#pool, this.#background, this.#registry];
  }
}

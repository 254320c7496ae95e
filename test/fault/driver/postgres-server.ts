import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  clusterOf,
  findPostmaster,
  ownerProcess,
  type OwnerProcess,
} from '@partner-payments/embedded-postgres/testing';
import { eventually } from '../../support/eventually.js';

const SETTINGS = { max_connections: '200' };

/**
 * How PostgreSQL is shut down: `fast` cuts its sessions and checkpoints, `immediate` leaves recovery to the next start.
 */
export type Restart = 'fast' | 'immediate';
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** A PostgreSQL of the driver's own, in a folder and at a port of its own, to be restarted at will. */
export class PostgresServer {
  private constructor(
    private readonly folder: string,
    readonly url: string,
    private owner: OwnerProcess,
  ) {}

  static async start(): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'payments-faults-'));
    await chmod(folder, 0o755); // so that, as root, the cluster stays inside it
    const owner = ownerProcess(join(folder, 'data'), { settings: SETTINGS });
    return new PostgresServer(folder, await urlOf(owner), owner);
  }

  /** Takes the server down for a while; it comes back at the same address. */
  async restart(how: Restart, downMs: number): Promise<void> {
    await this.owner.kill();
    const pid = await this.#pid();
    process.kill(pid, SIGNALS[how]);
    await eventually(() => !isAlive(pid), { within: 30_000 });
    await new Promise((resume) => setTimeout(resume, downMs));
    this.owner = ownerProcess(join(this.folder, 'data'), { settings: SETTINGS });
    const url = await urlOf(this.owner);
    if (url !== this.url) throw new Error(`the server came back at another address: ${url}`);
  }

  async stop(): Promise<void> {
    await this.owner.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #pid(): Promise<number> {
    const running = await findPostmaster(await clusterOf(join(this.folder, 'data')));
    return running!.pid;
  }
}

async function urlOf(owner: OwnerProcess): Promise<string> {
  const { url, message } = await owner.started;
  if (!url) throw new Error(message);
  return url;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

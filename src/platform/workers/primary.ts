import cluster, { type Worker } from 'node:cluster';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Membership, ownersFor } from './peers.js';

/** Pause before an ended worker is started again; it doubles while workers end soon after their start. */
const RESTART_MS = { first: 100, most: 10_000 };
/** A worker that has served this long ended for a reason that a restart may have removed. */
const STABLE_MS = 30_000;
/** A worker that says nothing for this long is ended: the others take over what it owns. */
const SILENT_MS = 10_000;
const BEAT_MS = 1_000;

const MEMBERSHIP = 'PAYMENTS_WORKER';

/** The membership that the primary process gave this process; `undefined` for a process that is no worker of one. */
export function membershipOf(environment: Readonly<Record<string, string | undefined>>): Membership | undefined {
  const given = environment[MEMBERSHIP];
  return cluster.isWorker && given ? (JSON.parse(given) as Membership) : undefined;
}

/** A worker's answer to the primary's question whether it runs. */
export function answerBeats(): void {
  process.on('message', (message) => {
    if (message === 'beat' && process.connected) process.send!('beat');
  });
}

interface Place {
  process: Worker;
  serving: boolean;
  startedAt: number;
  heardAt: number;
}

/**
 * The primary process of a service with several workers. It serves nothing: it says who serves, and starts a worker
 * anew that has ended.
 */
export class Primary {
  readonly #places: Place[] = [];
  readonly #beats: NodeJS.Timeout;
  #pause = RESTART_MS.first;
  #stopping = false;
  #ended: () => void = () => undefined;

  private constructor(
    private readonly workers: number,
    private readonly folder: string,
    private readonly environment: Record<string, string>,
    private readonly logger: Logger,
  ) {
    this.#beats = setInterval(() => this.#beat(), BEAT_MS);
  }

  /**
   * Starts the workers. @returns when all serve, with the address that they share
   * @param environment beside this process's own
   * @param flags of Node, for the workers
   * @throws WorkerEnded when one of them ends before; it has said why
   */
  static async start(
    workers: number,
    environment: Record<string, string>,
    flags: readonly string[],
    logger: Logger,
  ): Promise<{ readonly primary: Primary; readonly port: number }> {
    const folder = await mkdtemp(join(tmpdir(), 'payments-workers-'));
    cluster.setupPrimary({ execArgv: [...flags], serialization: 'json' });
    const primary = new Primary(workers, folder, environment, logger);
    try {
      // The first one finds the port where any will do.
      const port = await primary.#start(0);
      // A worker that is started again listens where the others do, `PORT=0` or not.
      environment.PORT = `${port}`;
      await Promise.all(Array.from({ length: workers - 1 }, (_, i) => primary.#start(i + 1)));
      return { primary, port };
    } catch (error) {
      await primary.stop();
      throw error;
    }
  }

  /** Lets all workers shut down, and waits for them. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#beats);
    const running = this.#places.filter(({ process }) => !process.isDead());
    running.forEach(({ process }) => process.process.kill('SIGTERM'));
    if (running.length > 0) await new Promise<void>((resolve) => (this.#ended = resolve));
    await rm(this.folder, { recursive: true, force: true });
  }

  /** @returns the port, when it serves */
  #start(worker: number): Promise<number> {
    const { workers, folder } = this;
    const owners = ownersFor(workers, availableParallelism());
    const membership: Membership = { worker, workers, owners, folder };
    const process = cluster.fork({ ...this.environment, [MEMBERSHIP]: JSON.stringify(membership) });
    const now = performance.now();
    const place: Place = { process, serving: false, startedAt: now, heardAt: now };
    this.#places[worker] = place;
    return new Promise((resolve, reject) => {
      process.on('message', (message: { readonly leaving?: boolean; readonly port?: number }) => {
        place.heardAt = performance.now();
        if (message.leaving) this.#serves(place, false);
        if (message.port !== undefined) {
          this.#serves(place, true);
          resolve(message.port);
        }
      });
      process.once('exit', (code, signal) => {
        reject(new WorkerEnded(worker));
        this.#exited(worker, place, signal ?? `${code}`);
      });
    });
  }

  #exited(worker: number, place: Place, how: string): void {
    const wasServing = place.serving;
    this.#serves(place, false);
    if (this.#stopping) {
      if (this.#places.every(({ process }) => process.isDead())) this.#ended();
      return;
    }
    const isStable = performance.now() - place.startedAt > STABLE_MS;
    this.#pause = isStable ? RESTART_MS.first : Math.min(this.#pause * 2, RESTART_MS.most);
    if (wasServing || this.#isUp) {
      this.logger.error(
        { worker, how, restartMs: this.#pause },
        'a worker ended; the others go on, it is started again',
      );
      setTimeout(() => {
        if (!this.#stopping) this.#start(worker).catch(() => undefined);
      }, this.#pause);
    }
  }

  /** Whether the service as a whole has begun to serve. */
  #isUp = false;

  #serves(place: Place, serving: boolean): void {
    if (place.serving === serving) return;
    place.serving = serving;
    const numbers = [...this.#places.entries()].flatMap(([worker, one]) => (one?.serving ? [worker] : []));
    this.#isUp ||= numbers.length === this.workers;
    for (const { process } of this.#places) if (process.isConnected()) process.send({ serving: numbers });
  }

  #beat(): void {
    const now = performance.now();
    for (const { process, serving, heardAt } of this.#places) {
      if (!serving || !process.isConnected()) continue;
      if (now - heardAt > SILENT_MS) process.process.kill('SIGKILL');
      else process.send('beat');
    }
  }
}

/** A worker ended before the service listened. */
export class WorkerEnded extends Error {
  constructor(worker: number) {
    super(`worker ${worker} ended before it served`);
  }
}

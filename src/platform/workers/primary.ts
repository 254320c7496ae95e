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
const BEAT_MS = 1_000;
/**
 * A worker that leaves so many questions in a row unanswered is ended: the others take over what it owns. Questions are
 * counted, not time: a primary that was itself paused has asked nobody meanwhile.
 */
const SILENT_BEATS = 10;
/** … before it serves: it answers as soon as it has read its code, for which a machine under load may take long. */
const SILENT_BEATS_AT_START = 30;

const MEMBERSHIP = 'PAYMENTS_WORKER';
/** How a worker ended that never ran. */
const NO_PROCESS = 'no process';

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
  /** Questions since it last said something. */
  unanswered: number;
}

/**
 * The primary process of a service with several workers. It serves nothing: it says who serves, and starts a worker
 * anew that has ended.
 */
export class Primary {
  /** By the worker's number; there is none where no process could ever be made. */
  readonly #places = new Map<number, Place>();
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
   * Starts the workers. @returns when all serve
   * @param environment beside this process's own
   * @param flags of Node, for the workers
   * @throws WorkerEnded when one of them ends before; it has said why
   */
  static async start(
    workers: number,
    environment: Record<string, string>,
    flags: readonly string[],
    logger: Logger,
  ): Promise<Primary> {
    const folder = await mkdtemp(join(tmpdir(), 'payments-workers-'));
    cluster.setupPrimary({ execArgv: [...flags], serialization: 'json' });
    const primary = new Primary(workers, folder, environment, logger);
    try {
      // One alone at first: what keeps all from serving is told once.
      await primary.#start(0);
      await Promise.all(Array.from({ length: workers - 1 }, (_, i) => primary.#start(i + 1)));
      return primary;
    } catch (error) {
      await primary.stop();
      throw error;
    }
  }

  /** Lets all workers shut down, and waits for them. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#beats);
    const running = [...this.#places.values()].filter(({ process }) => !process.isDead());
    running.forEach(({ process }) => process.process.kill('SIGTERM'));
    if (running.length > 0) await new Promise<void>((resolve) => (this.#ended = resolve));
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * @returns when it serves
   * @throws WorkerEnded when it ends before, or no process can be made for it
   */
  async #start(worker: number): Promise<void> {
    const startedAt = performance.now();
    let process: Worker;
    try {
      process = this.#fork(worker);
    } catch (error) {
      this.#notStarted(worker, error);
      if (this.#isUp) this.#startAgain(worker, startedAt, NO_PROCESS);
      throw new WorkerEnded(worker);
    }
    const place: Place = { process, serving: false, startedAt, unanswered: 0 };
    this.#places.set(worker, place);
    return new Promise((resolve, reject) => {
      let hasEnded = false;
      const end = (how: string) => {
        if (hasEnded) return;
        hasEnded = true;
        reject(new WorkerEnded(worker));
        this.#exited(worker, place, how);
      };
      process.on('message', (message: { readonly leaving?: boolean; readonly serving?: boolean }) => {
        place.unanswered = 0;
        if (message.leaving) this.#serves(place, false);
        if (message.serving) {
          this.#serves(place, true);
          resolve();
        }
      });
      process.once('exit', (code, signal) => end(signal ?? `${code}`));
      process.on('error', (error) => {
        if (process.process.pid !== undefined) {
          // Of a worker that is just ending, most often: `exit` tells the rest.
          this.logger.warn({ worker, err: error }, 'a worker could not be reached');
        } else if (!hasEnded) {
          // There is no `exit` of what never ran.
          this.#notStarted(worker, error);
          end(NO_PROCESS);
        }
      });
    });
  }

  /** @throws for some of the reasons for which the system makes no process; of the others the worker's `error` tells */
  #fork(worker: number): Worker {
    const { workers, folder } = this;
    const owners = ownersFor(workers, availableParallelism());
    const membership: Membership = { worker, workers, owners, folder };
    return cluster.fork({ ...this.environment, [MEMBERSHIP]: JSON.stringify(membership) });
  }

  #notStarted(worker: number, error: unknown): void {
    this.logger.error({ worker, err: error }, 'a worker could not be started');
  }

  #exited(worker: number, place: Place, how: string): void {
    const wasServing = place.serving;
    this.#serves(place, false);
    if (this.#stopping) {
      if ([...this.#places.values()].every(({ process }) => process.isDead())) this.#ended();
      return;
    }
    if (wasServing || this.#isUp) this.#startAgain(worker, place.startedAt, how);
  }

  #startAgain(worker: number, startedAt: number, how: string): void {
    const isStable = performance.now() - startedAt > STABLE_MS;
    this.#pause = isStable ? RESTART_MS.first : Math.min(this.#pause * 2, RESTART_MS.most);
    this.logger.error({ worker, how, restartMs: this.#pause }, 'a worker ended; the others go on, it is started again');
    setTimeout(() => {
      if (!this.#stopping) this.#start(worker).catch(() => undefined);
    }, this.#pause);
  }

  /** Whether the service as a whole has begun to serve. */
  #isUp = false;

  #serves(place: Place, serving: boolean): void {
    if (place.serving === serving) return;
    place.serving = serving;
    const numbers = [...this.#places].flatMap(([worker, one]) => (one.serving ? [worker] : []));
    this.#isUp ||= numbers.length === this.workers;
    for (const { process } of this.#places.values()) if (process.isConnected()) process.send({ serving: numbers });
  }

  #beat(): void {
    for (const place of this.#places.values()) {
      const { process, serving } = place;
      if (!process.isConnected()) continue;
      place.unanswered += 1;
      if (place.unanswered > (serving ? SILENT_BEATS : SILENT_BEATS_AT_START)) process.process.kill('SIGKILL');
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

import { Worker } from 'node:worker_threads';
import { programFile } from '../../../platform/program-file.js';
import type { HeadRow, KnownCheckpoint, LogResult } from './log-check.js';
import type { FindingsSnapshot } from '../report.js';
import type { TableSum, TableToSum } from '../projections/sum-table.js';

export type ToThread =
  | {
      readonly kind: 'check';
      readonly head: HeadRow;
      readonly covered: bigint;
      readonly tables: readonly (TableToSum | undefined)[];
    }
  | { readonly kind: 'checkpoint'; readonly checkpoint: KnownCheckpoint | undefined }
  | { readonly kind: 'end' };

export type FromThread =
  | { readonly kind: 'next checkpoint' }
  | { readonly kind: 'progress'; readonly examined: bigint }
  | {
      readonly kind: 'done';
      readonly result: LogResult;
      readonly sums: readonly (TableSum | undefined)[];
      readonly found: FindingsSnapshot;
    };

/** Together with the heap that package.json gives the process, under 300 MB. */
const HEAP = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 6 };

/**
 * Runs the log check on a thread of its own, which reads the log a second time: hashing needs nothing of the
 * application, and runs on another core beside the replay.
 */
export class ThreadedLogCheck {
  readonly #thread: Worker;
  readonly #failed: Promise<never>;

  /** @param databaseUrl the thread has its own connection, as the service's role */
  constructor(databaseUrl: string) {
    this.#thread = new Worker(programFile('audit/verify/log/log-check-thread.js'), {
      workerData: databaseUrl,
      resourceLimits: HEAP,
    });
    this.#failed = new Promise((_resolve, reject) => this.#thread.once('error', reject));
    this.#failed.catch(() => undefined);
  }

  /**
   * @param covered leaves that the stored nodes of the tree cover
   * @param tables to be summed after the log, into `sums`
   * @param nextCheckpoint gives the checkpoints in order of their size
   * @param onProgress called with the positions examined so far
   * @throws the errors of the thread, mostly database faults
   */
  async check(
    head: HeadRow,
    covered: bigint,
    tables: readonly (TableToSum | undefined)[],
    nextCheckpoint: () => Promise<KnownCheckpoint | undefined>,
    onProgress: (examined: bigint) => void,
  ): Promise<{
    readonly result: LogResult;
    readonly sums: readonly (TableSum | undefined)[];
    readonly found: FindingsSnapshot;
  }> {
    let take: ((message: FromThread) => void) | undefined;
    const done = new Promise<Extract<FromThread, { kind: 'done' }>>((resolve, reject) => {
      take = (message) => {
        if (message.kind === 'progress') onProgress(message.examined);
        else if (message.kind === 'done') resolve(message);
        else nextCheckpoint().then((checkpoint) => this.#send({ kind: 'checkpoint', checkpoint }), reject);
      };
    });
    this.#thread.on('message', take!);
    try {
      this.#send({ kind: 'check', head, covered, tables });
      const { result, sums, found } = await Promise.race([done, this.#failed]);
      return { result: { ...result, root: Buffer.from(result.root) }, sums, found };
    } finally {
      this.#thread.off('message', take!);
    }
  }

  async end(): Promise<void> {
    if (this.#thread.threadId === -1) return;
    // Not `once` of node:events: it rejects with the thread's error, which `check` has thrown already.
    const ended = new Promise((resolve) => this.#thread.once('exit', resolve));
    this.#send({ kind: 'end' });
    await ended;
  }

  #send(message: ToThread): void {
    this.#thread.postMessage(message);
  }
}

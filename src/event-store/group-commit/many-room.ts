/** For how long after a single command others are expected. */
const SINGLES_MS = 1_000;
/**
 * A batch of single commands and of requests of many takes no longer than this, or than twice what a small one takes.
 */
const TARGET_MS = 8;
const LEAST = 16;
/**
 * Where nobody waits for a single command, requests of many have so many times the size of a batch: a file's 600 lines.
 */
const ALONE = 2.5;

/**
 * The room that requests of many have in a batch. Where single commands come, each waits for the batch before it: it is
 * kept short. Where none come, batches are larger.
 */
export class ManyRoom {
  #room: number;
  #singleAt = -Infinity;
  /** Moving average of a batch that is small: what no smaller room would change. */
  #smallMs = 0;

  constructor(private readonly batchSize: number) {
    this.#room = batchSize;
  }

  /** Somebody waits for a single command. @param now of the monotonic clock */
  singleCame(now: number): void {
    this.#singleAt = now;
  }

  /** Most commands of requests of many in the next batch. */
  at(now: number): number {
    return now - this.#singleAt < SINGLES_MS ? this.#room : Math.floor(ALONE * this.batchSize);
  }

  /**
   * A batch was written.
   * @param many commands of requests of many in it
   */
  wrote(now: number, ms: number, commands: number, many: number): void {
    if (commands <= LEAST) this.#smallMs = (3 * this.#smallMs + ms) / 4;
    if (many === 0 || now - this.#singleAt >= SINGLES_MS) return;
    const target = Math.max(TARGET_MS, 2 * this.#smallMs);
    if (ms > target) this.#room = Math.max(LEAST, Math.floor(this.#room * Math.max(0.5, target / ms)));
    else if (many >= this.#room) this.#room = Math.min(this.batchSize, Math.ceil(this.#room * 1.25));
  }
}

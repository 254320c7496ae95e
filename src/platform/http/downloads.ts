import { Readable } from 'node:stream';
import { Overloaded, TooManyRequests } from '../errors/index.js';

/** A download of which less is read gives way, after a while, to one that would find no place. */
const BYTES_PER_SECOND = 64 * 1024;
const SLOW_AFTER_MS = 2_000;
/** The kernel takes the first megabytes at once: what is read is counted from the first wait of this length. */
const FIRST_WAIT_MS = 50;

interface Bounds {
  /** Downloads of a process at a time. */
  readonly most: number;
  readonly retryAfterS: number;
  /** What an owner is told who has one already, and anybody where there is no place. */
  readonly refusals: { readonly second: string; readonly full: string };
}

/** An answer of unknown length while somebody reads it. */
export class Download {
  #stream: Readable | undefined;
  /** Since its reader has first been waited for: bytes that were taken, and milliseconds of waiting. */
  #taken = 0;
  #waited = 0;
  /** When the piece that nobody has taken yet was given. */
  #waitsSince: number | undefined;

  /** @param release gives its place back */
  constructor(readonly release: () => void) {}

  /** The answer's bytes. Its place is free once they are read, or nobody reads on. */
  stream(text: AsyncIterable<string>): Readable {
    this.#stream = Readable.from(this.#pieces(text), { objectMode: false });
    return this.#stream.once('close', this.release);
  }

  /** Whether its reader is what it waits for. */
  get isSlow(): boolean {
    const ms = this.#waited + this.#waiting;
    return ms > SLOW_AFTER_MS && this.#taken < (BYTES_PER_SECOND * ms) / 1000;
  }

  /** Breaks off: the answer has a status already. */
  giveWay(): void {
    this.#stream?.destroy(new Overloaded('The answer is read too slowly while others wait.'));
    this.release();
  }

  get #waiting(): number {
    return this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince;
  }

  async *#pieces(text: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
    for await (const piece of text) {
      this.#waitsSince = performance.now();
      yield piece;
      const ms = this.#waiting;
      this.#waitsSince = undefined;
      if (this.#waited === 0 && ms < FIRST_WAIT_MS) continue;
      this.#waited += ms;
      this.#taken += Buffer.byteLength(piece);
    }
  }
}

/**
 * Answers of unknown length, each of which costs a process a long read: one of an owner at a time. They have all the
 * time they need while there are places.
 */
export class Downloads {
  /** By owner, the longest first. */
  readonly #running = new Map<string, Download>();

  constructor(private readonly bounds: Bounds) {}

  /**
   * Takes a place, before anything is awaited: many ask at once.
   * @throws TooManyRequests for an owner's second one, and where all places are taken by readers that read
   */
  begin(owner: string): Download {
    const { most, retryAfterS, refusals } = this.bounds;
    if (this.#running.has(owner)) throw new TooManyRequests(refusals.second, retryAfterS);
    if (this.#running.size >= most) {
      const slow = [...this.#running.values()].find(({ isSlow }) => isSlow);
      if (!slow) throw new TooManyRequests(refusals.full, retryAfterS);
      slow.giveWay();
    }
    const own = new Download(() => {
      if (this.#running.get(owner) === own) this.#running.delete(owner);
    });
    this.#running.set(owner, own);
    return own;
  }
}

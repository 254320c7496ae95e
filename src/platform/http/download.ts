import { Readable } from 'node:stream';
import { Overloaded } from '../errors/index.js';
import { isTooSlow, type UnderWay } from './places.js';

/** The kernel takes the first megabytes at once: what is read is counted from the first wait of this length. */
const FIRST_WAIT_MS = 50;

/** An answer of unknown length while somebody reads it. */
export class Download implements UnderWay {
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

  get isSlow(): boolean {
    return isTooSlow(this.#taken, this.#waited + this.#waiting);
  }

  /** The answer has a status already. */
  giveWay(): void {
    this.#stream?.destroy(new Overloaded('The answer is read too slowly while others wait.'));
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

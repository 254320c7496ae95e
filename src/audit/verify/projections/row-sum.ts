import { hash } from 'node:crypto';

const WORDS = 8;
const WORD_BYTES = 4;

/**
 * The sum of keyed digests of rows: two different sets of rows have the same sum with a probability of about one in
 * 2^250, whatever they are, since the key is random for each run and was unknown when they were written. Sums need no
 * order and no memory, so the two sides can be read each in its own order.
 */
export class RowSum {
  readonly #words = new Uint32Array(WORDS);
  readonly #digest = Buffer.alloc(WORDS * WORD_BYTES);
  readonly #key: string;
  #rows = 0;

  /** @param key random key of one run */
  constructor(key: string) {
    this.#key = key;
  }

  get rows(): number {
    return this.#rows;
  }

  add(texts: readonly (string | null)[]): void {
    this.#rows += 1;
    this.#digest.write(hash('sha256', this.#key + JSON.stringify(texts), 'binary'), 'latin1');
    for (let word = 0; word < WORDS; word++) this.#words[word]! += this.#digest.readUInt32LE(word * WORD_BYTES);
  }

  /** The sum so far; equal text means equal rows. */
  text(): string {
    return `${this.#rows} ${this.#words.join(' ')}`;
  }
}

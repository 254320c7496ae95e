import { hash } from 'node:crypto';

const LANES = 8;
const LANE_BYTES = 4;

/**
 * The sum of keyed digests of rows: two sets of rows that differ have the same sum with a probability of about one in
 * 2^250, whatever they are, since the key is made anew for each run and was unknown when they were written. Sums need
 * no order and no memory, so two sides can be read each in its own order.
 */
export class RowSum {
  readonly #lanes = new Uint32Array(LANES);
  readonly #digest = Buffer.alloc(LANES * LANE_BYTES);
  readonly #key: string;
  #rows = 0;

  /** @param key random, of one run */
  constructor(key: string) {
    this.#key = key;
  }

  get rows(): number {
    return this.#rows;
  }

  add(texts: readonly (string | null)[]): void {
    this.#rows += 1;
    this.#digest.write(hash('sha256', this.#key + JSON.stringify(texts), 'binary'), 'latin1');
    for (let lane = 0; lane < LANES; lane++) this.#lanes[lane]! += this.#digest.readUInt32LE(lane * LANE_BYTES);
  }

  /** Of the rows so far; equal text is equal rows. */
  text(): string {
    return `${this.#rows} ${this.#lanes.join(' ')}`;
  }
}

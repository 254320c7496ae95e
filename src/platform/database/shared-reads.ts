import { Coalesced } from './coalesced.js';

/**
 * Reads of which many may ask for the same: those who ask while it is in progress share the next one. Each read begins
 * after it was asked for, so it shows whatever was committed before.
 */
export class SharedReads<Out> {
  /** Those in progress. */
  readonly #reads = new Map<string, Coalesced<() => Promise<Out>, Out>>();

  /**
   * @param key says all that the read depends on, the reader's rights included
   * @param read its result is given to several, who must not change it; its error too
   */
  async run(key: string, read: () => Promise<Out>): Promise<Out> {
    let reads = this.#reads.get(key);
    if (!reads) this.#reads.set(key, (reads = new Coalesced(oneForAll)));
    try {
      return await reads.run(read);
    } finally {
      if (reads.isIdle && this.#reads.get(key) === reads) this.#reads.delete(key);
    }
  }
}

async function oneForAll<Out>(equal: readonly (() => Promise<Out>)[]): Promise<Out[]> {
  const found = await equal[0]!();
  return equal.map(() => found);
}

import { nodeHash } from '../../event-store/log/merkle.js';
import type { SubtreeRef } from './ranges.js';

/**
 * Complete subtrees of 16 leaves and more are stored. Smaller ones are hashed again from at most 15 adjacent leaves of
 * the log: an eighth of a row an event instead of one, and a proof still costs two reads.
 */
export const LOWEST_STORED_LEVEL = 4;

export interface StoredNode extends SubtreeRef {
  readonly hash: Buffer;
}

/** A tree that grows leaf by leaf, and returns the stored nodes that each leaf completes. */
export class GrowingTree {
  readonly #peaks: Buffer[];
  #size: bigint;

  /** @param peaks of the first `size` leaves, largest first */
  constructor(size = 0n, peaks: readonly Buffer[] = []) {
    this.#size = size;
    this.#peaks = [...peaks];
  }

  get size(): bigint {
    return this.#size;
  }

  append(leaf: Buffer): StoredNode[] {
    const completed: StoredNode[] = [];
    let index = this.#size;
    let hash = leaf;
    let level = 0;
    for (; index & 1n; index >>= 1n) {
      hash = nodeHash(this.#peaks.pop()!, hash);
      level += 1;
      if (level >= LOWEST_STORED_LEVEL) completed.push({ level, index: index >> 1n, hash });
    }
    this.#peaks.push(hash);
    this.#size += 1n;
    return completed;
  }
}

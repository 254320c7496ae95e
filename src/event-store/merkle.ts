import { hash } from 'node:crypto';

/**
 * The RFC 6962 Merkle tree of one partition, as its head row keeps it: the size and the roots of the
 * complete subtrees that the size's binary form names, highest first ("peaks"). Appending a leaf needs
 * nothing else, and the root follows from the peaks.
 */
export interface TreeState {
  readonly size: bigint;
  readonly peaks: readonly Buffer[];
}

export const EMPTY_TREE: TreeState = { size: 0n, peaks: [] };

const HASH_BYTES = 32;
const NODE_PREFIX = Buffer.from([0x01]);
const LEAF_PREFIX = Buffer.from([0x00]);

function sha256(input: Buffer): Buffer {
  return hash('sha256', input, 'buffer');
}

/** RFC 6962, 2.1: `SHA-256(0x00 || leaf)`. */
export function leafHash(leaf: Buffer): Buffer {
  return sha256(Buffer.concat([LEAF_PREFIX, leaf]));
}

/** RFC 6962, 2.1: `SHA-256(0x01 || left || right)`. */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return sha256(Buffer.concat([NODE_PREFIX, left, right]));
}

/** The tree after one more leaf. */
export function appendLeaf(tree: TreeState, leaf: Buffer): TreeState {
  const peaks = tree.peaks.slice();
  let node = leaf;
  for (let size = tree.size; size & 1n; size >>= 1n) node = nodeHash(peaks.pop()!, node);
  peaks.push(node);
  return { size: tree.size + 1n, peaks };
}

/** The tree's root; that of the empty tree is the hash of nothing. */
export function rootOf(tree: TreeState): Buffer {
  if (tree.peaks.length === 0) return sha256(Buffer.alloc(0));
  return tree.peaks.reduceRight((right, left) => nodeHash(left, right));
}

/** Peaks as the head row stores them: concatenated, highest first. */
export function packPeaks(peaks: readonly Buffer[]): Buffer {
  return Buffer.concat(peaks);
}

export function unpackPeaks(packed: Buffer): Buffer[] {
  return Array.from({ length: packed.length / HASH_BYTES }, (_, i) =>
    packed.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  );
}

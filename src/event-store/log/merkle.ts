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
const LEAF_PREFIX = Buffer.from([0x00]);

/** Input of `nodeHash`: its prefix and two nodes, overwritten each time. */
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 0x01);

/** Through text: a digest in a buffer of its own costs three times as much, and its collection as much again. */
function sha256(input: Buffer): Buffer {
  return Buffer.from(hash('sha256', input, 'binary'), 'binary');
}

/** RFC 6962, 2.1: `SHA-256(0x00 || leaf)`. */
export function leafHash(leaf: Buffer): Buffer {
  return prefixedLeafHash(Buffer.concat([LEAF_PREFIX, leaf]));
}

/** As `leafHash`, of a leaf that has its prefix of one zero byte already. */
export function prefixedLeafHash(prefixed: Buffer): Buffer {
  return sha256(prefixed);
}

/** RFC 6962, 2.1: `SHA-256(0x01 || left || right)`. */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  left.copy(node, 1);
  right.copy(node, 1 + HASH_BYTES);
  return sha256(node);
}

/** The tree after one more leaf. */
export function appendLeaf(tree: TreeState, leaf: Buffer): TreeState {
  const peaks = tree.peaks.slice();
  let peak = leaf;
  for (let size = tree.size; size & 1n; size >>= 1n) peak = nodeHash(peaks.pop()!, peak);
  peaks.push(peak);
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

import { nodeHash, rootOf, EMPTY_TREE } from '../../event-store/index.js';

/**
 * Whether a leaf is in a tree (RFC 9162, 2.1.3.2).
 * @param index of the leaf, from 0
 */
export function provesInclusion(
  leaf: Buffer,
  index: bigint,
  size: bigint,
  path: readonly Buffer[],
  root: Buffer,
): boolean {
  if (index < 0n || index >= size) return false;
  let fn = index;
  let sn = size - 1n;
  let hash = leaf;
  for (const sibling of path) {
    if (sn === 0n) return false;
    if (fn & 1n || fn === sn) {
      hash = nodeHash(sibling, hash);
      while (!(fn & 1n) && fn !== 0n) {
        fn >>= 1n;
        sn >>= 1n;
      }
    } else {
      hash = nodeHash(hash, sibling);
    }
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n && hash.equals(root);
}

/** Whether the tree of size `n` begins with the tree of size `m` (RFC 9162, 2.1.4.2). */
export function provesConsistency(
  m: bigint,
  rootM: Buffer,
  n: bigint,
  rootN: Buffer,
  path: readonly Buffer[],
): boolean {
  if (m > n) return false;
  if (m === 0n) return path.length === 0 && rootM.equals(rootOf(EMPTY_TREE));
  if (m === n) return path.length === 0 && rootM.equals(rootN);
  const isComplete = (m & (m - 1n)) === 0n;
  const [first, ...rest] = isComplete ? [rootM, ...path] : path;
  if (!first) return false;
  let fn = m - 1n;
  let sn = n - 1n;
  while (fn & 1n) {
    fn >>= 1n;
    sn >>= 1n;
  }
  let older = first;
  let newer = first;
  for (const hash of rest) {
    if (sn === 0n) return false;
    if (fn & 1n || fn === sn) {
      older = nodeHash(hash, older);
      newer = nodeHash(hash, newer);
      while (!(fn & 1n) && fn !== 0n) {
        fn >>= 1n;
        sn >>= 1n;
      }
    } else {
      newer = nodeHash(newer, hash);
    }
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n && older.equals(rootM) && newer.equals(rootN);
}

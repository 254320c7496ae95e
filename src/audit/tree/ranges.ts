/**
 * The shape of RFC 6962 proofs (section 2.1): which parts of the tree they name, before any hash is known.
 * A range of leaves is `[start, end)`, counted from 0; the leaf of the event at position p has index p − 1.
 */
export interface LeafRange {
  readonly start: bigint;
  readonly end: bigint;
}

/** A complete subtree: the `index`-th of 2^level leaves, counted from the left. */
export interface SubtreeRef {
  readonly level: number;
  readonly index: bigint;
}

/** The largest power of two smaller than `n`, for n > 1. */
function split(n: bigint): bigint {
  return 1n << BigInt((n - 1n).toString(2).length - 1);
}

/** PATH(m, D[n]): the siblings from the leaf up to the root. */
export function inclusionRanges(index: bigint, size: bigint): LeafRange[] {
  const path: LeafRange[] = [];
  let start = 0n;
  let end = size;
  while (end - start > 1n) {
    const middle = start + split(end - start);
    if (index < middle) {
      path.push({ start: middle, end });
      end = middle;
    } else {
      path.push({ start, end: middle });
      start = middle;
    }
  }
  return path.reverse();
}

/** PROOF(m, D[n]) for 0 < m ≤ n: the tree of `n` leaves begins with the tree of `m`. */
export function consistencyRanges(m: bigint, n: bigint): LeafRange[] {
  return subproof(m, { start: 0n, end: n }, true);
}

function subproof(m: bigint, { start, end }: LeafRange, whole: boolean): LeafRange[] {
  if (m === end) return whole ? [] : [{ start, end }];
  const middle = start + split(end - start);
  return m <= middle
    ? [...subproof(m, { start, end: middle }, whole), { start: middle, end }]
    : [...subproof(m, { start: middle, end }, false), { start, end: middle }];
}

/** The complete subtrees that a range of a proof consists of, left to right. */
export function subtreesOf({ start, end }: LeafRange): SubtreeRef[] {
  const subtrees: SubtreeRef[] = [];
  let from = start;
  while (from < end) {
    const level = (end - from).toString(2).length - 1;
    subtrees.push({ level, index: from >> BigInt(level) });
    from += 1n << BigInt(level);
  }
  return subtrees;
}

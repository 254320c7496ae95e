import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appendLeaf, EMPTY_TREE, leafHash, nodeHash, rootOf, type TreeState } from '../../event-store/index.js';
import { consistencyRanges, inclusionRanges, type LeafRange, subtreesOf } from './ranges.js';
import { provesConsistency, provesInclusion } from './verify-proof.js';

const vectors = JSON.parse(readFileSync('test/vectors/merkle.json', 'utf8')) as { leaves: string[]; roots: string[] };

/** MTH of RFC 6962, 2.1. */
function treeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0]!;
  const k = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return nodeHash(treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
}

const leavesOf = (count: number) => Array.from({ length: count }, (_, i) => leafHash(Buffer.from(`leaf ${i}`)));
const hashOf = (leaves: readonly Buffer[]) => (range: LeafRange) =>
  treeHash(leaves.slice(Number(range.start), Number(range.end)));

describe('the tree of RFC 6962', () => {
  it.each(vectors.roots.map((root, size) => [size, root] as const))(
    'has the published root with %i leaves',
    (size, root) => {
      const leaves = vectors.leaves.slice(0, size).map((leaf) => leafHash(Buffer.from(leaf, 'hex')));
      const tree = leaves.reduce<TreeState>(appendLeaf, EMPTY_TREE);
      expect(rootOf(tree).toString('hex')).toBe(root);
    },
  );

  it('is composed of the complete subtrees that a range is cut into', () => {
    const leaves = leavesOf(45);
    for (let size = 1; size <= leaves.length; size++) {
      const parts = subtreesOf({ start: 0n, end: BigInt(size) }).map(({ level, index }) =>
        treeHash(leaves.slice(Number(index) << level, (Number(index) + 1) << level)),
      );
      const root = parts.reduceRight((right, left) => nodeHash(left, right));
      expect(root).toEqual(treeHash(leaves.slice(0, size)));
    }
  });
});

const tree = fc.integer({ min: 1, max: 200 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    index: fc.integer({ min: 0, max: size - 1 }),
    earlier: fc.integer({ min: 1, max: size }),
  }),
);

describe('proofs', () => {
  it('show every leaf to be in its tree, and no other leaf, place, size or root', () => {
    fc.assert(
      fc.property(tree, fc.nat(), ({ size, index }, damage) => {
        const leaves = leavesOf(size);
        const root = treeHash(leaves);
        const [at, of] = [BigInt(index), BigInt(size)];
        const path = inclusionRanges(at, of).map(hashOf(leaves));
        expect(provesInclusion(leaves[index]!, at, of, path, root)).toBe(true);
        expect(provesInclusion(leafHash(Buffer.from('another')), at, of, path, root)).toBe(false);
        expect(provesInclusion(leaves[index]!, of, of, path, root)).toBe(false);
        expect(provesInclusion(leaves[index]!, at, of, path, leafHash(root))).toBe(false);
        expect(provesInclusion(leaves[index]!, at, of, [...path, root], root)).toBe(false);
        if (path.length > 0) {
          const broken = path.with(damage % path.length, leafHash(root));
          expect(provesInclusion(leaves[index]!, at, of, broken, root)).toBe(false);
          expect(provesInclusion(leaves[index]!, at, of, path.slice(1), root)).toBe(false);
        }
      }),
    );
  });

  it('show a tree to begin with an earlier one, and with no other', () => {
    fc.assert(
      fc.property(tree, fc.nat(), ({ size, earlier }, damage) => {
        const leaves = leavesOf(size);
        const [root, before] = [treeHash(leaves), treeHash(leaves.slice(0, earlier))];
        const [m, n] = [BigInt(earlier), BigInt(size)];
        const path = consistencyRanges(m, n).map(hashOf(leaves));
        expect(provesConsistency(m, before, n, root, path)).toBe(true);
        expect(provesConsistency(m, leafHash(before), n, root, path)).toBe(false);
        expect(provesConsistency(m, before, n, leafHash(root), path)).toBe(false);
        expect(provesConsistency(n, root, m - 1n, before, path)).toBe(false);
        if (path.length > 0) {
          const broken = path.with(damage % path.length, leafHash(root));
          expect(provesConsistency(m, before, n, root, broken)).toBe(false);
          expect(provesConsistency(m, before, n, root, path.slice(1))).toBe(false);
        }
      }),
    );
  });

  const [a, b, c, d] = leavesOf(4) as [Buffer, Buffer, Buffer, Buffer];
  const [ab, abc, abcd] = [treeHash([a, b]), treeHash([a, b, c]), treeHash([a, b, c, d])];
  const nothing = rootOf(EMPTY_TREE);

  it.each<[string, ...Parameters<typeof provesInclusion>]>([
    ['of a smaller tree', a, 0n, 4n, [b], ab],
    ['of a larger tree', b, 0n, 1n, [a], ab],
    ['of a place before the first', b, -1n, 2n, [a], ab],
    ['of a leaf alone in a larger tree', a, 0n, 2n, [], a],
  ])('%s show no leaf to be in this one', (_what, ...proof) => {
    expect(provesInclusion(...proof)).toBe(false);
  });

  it.each<[boolean, string, ...Parameters<typeof provesConsistency>]>([
    [false, 'of a smaller tree', 1n, a, 4n, ab, [b]],
    [false, 'with more hashes than it takes', 3n, nodeHash(d, abc), 4n, nodeHash(d, abcd), [c, d, ab, d]],
    [false, 'without any hash', 3n, abc, 4n, abcd, []],
    [false, 'of the same tree, with a hash', 2n, ab, 2n, ab, [a]],
    [false, 'of the same size and another root', 2n, ab, 2n, abc, []],
    [true, 'of the empty tree', 0n, nothing, 2n, ab, []],
    [false, 'of the empty tree, with a hash', 0n, nothing, 2n, ab, [a]],
    [false, 'of an empty tree that has a root', 0n, a, 2n, ab, []],
  ])('show (%s) a tree to continue: %s', (shown, _what, ...proof) => {
    expect(provesConsistency(...proof)).toBe(shown);
  });

  it('grow with the logarithm of the size', () => {
    const size = 1n << 40n;
    expect(inclusionRanges(12_345n, size)).toHaveLength(40);
    expect(consistencyRanges(12_345n, size).length).toBeLessThanOrEqual(41);
  });
});

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

  it('grow with the logarithm of the size', () => {
    const size = 1n << 40n;
    expect(inclusionRanges(12_345n, size)).toHaveLength(40);
    expect(consistencyRanges(12_345n, size).length).toBeLessThanOrEqual(41);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { appendLeaf, EMPTY_TREE, leafHash, packPeaks, rootOf, unpackPeaks } from './merkle.js';

const vectors = JSON.parse(readFileSync('test/vectors/merkle.json', 'utf8')) as { leaves: string[]; roots: string[] };

describe('the Merkle tree', () => {
  it('has the roots of RFC 6962 at every size', () => {
    let tree = EMPTY_TREE;
    const roots = [rootOf(tree)];
    for (const leaf of vectors.leaves) {
      tree = appendLeaf(tree, leafHash(Buffer.from(leaf, 'hex')));
      roots.push(rootOf(tree));
    }
    expect(roots.map((root) => root.toString('hex'))).toEqual(vectors.roots);
  });

  it('goes on from peaks that were stored', () => {
    const leaves = vectors.leaves.map((leaf) => leafHash(Buffer.from(leaf, 'hex')));
    const half = leaves.slice(0, 3).reduce(appendLeaf, EMPTY_TREE);
    const restored = { size: half.size, peaks: unpackPeaks(packPeaks(half.peaks)) };
    expect(rootOf(leaves.slice(3).reduce(appendLeaf, restored)).toString('hex')).toBe(vectors.roots.at(-1));
  });
});

import { Injectable } from '@nestjs/common';
import { EMPTY_TREE, nodeHash, rootOf } from '../../event-store/index.js';
import { Database, type ReadsBy } from '../../platform/database/index.js';
import { NotYetCovered } from '../errors.js';
import { consistencyRanges, inclusionRanges, type LeafRange, subtreesOf } from './ranges.js';
import { loadNodes, nameOf, TREE_CONSUMER } from './stored-nodes.js';

/** Answers proofs from the interior nodes of the partitions' trees, in O(log n). */
@Injectable()
export class TreeNodes {
  constructor(private readonly database: Database) {}

  /** How many of a partition's leaves the stored nodes cover. */
  async covered(partition: number, by: ReadsBy = 'query'): Promise<bigint> {
    const [row] = await this.database[by]<{ position: string }>({
      name: 'tree-nodes-covered',
      text: 'select position from subscription where partition = $1 and consumer = $2',
      values: [partition, TREE_CONSUMER],
    });
    return BigInt(row?.position ?? 0);
  }

  /** Root of the partition's tree when it had `size` leaves. @throws NotYetCovered */
  async root(partition: number, size: bigint, by: ReadsBy = 'query'): Promise<Buffer> {
    if (size === 0n) return rootOf(EMPTY_TREE);
    return (await this.#hashes(partition, [{ start: 0n, end: size }], size, by))[0]!;
  }

  /** Siblings that prove the event at `position` to be in the tree of `size` leaves. @throws NotYetCovered */
  async inclusion(partition: number, position: bigint, size: bigint): Promise<Buffer[]> {
    return (await this.inclusions(partition, [position], size))[0]!;
  }

  /** The proofs of several events, with no more reads than one takes. @throws NotYetCovered */
  async inclusions(partition: number, positions: readonly bigint[], size: bigint): Promise<Buffer[][]> {
    const ranges = positions.map((position) => inclusionRanges(position - 1n, size));
    const hashes = await this.#hashes(partition, ranges.flat(), size, 'query');
    let used = 0;
    return ranges.map(({ length }) => hashes.slice(used, (used += length)));
  }

  /** What proves that the tree of `size` leaves begins with that of `earlier`. @throws NotYetCovered */
  async consistency(partition: number, earlier: bigint, size: bigint, by: ReadsBy = 'query'): Promise<Buffer[]> {
    return earlier === 0n ? [] : this.#hashes(partition, consistencyRanges(earlier, size), size, by);
  }

  /** Hashes of ranges of leaves, all with two reads. */
  async #hashes(partition: number, ranges: readonly LeafRange[], size: bigint, by: ReadsBy): Promise<Buffer[]> {
    const covered = await this.covered(partition, by);
    if (size > covered) throw new NotYetCovered(partition, size, covered);
    const parts = ranges.map(subtreesOf);
    const refs = new Map(parts.flat().map((ref) => [nameOf(ref), ref]));
    const known = await loadNodes(this.database, partition, [...refs.values()], by);
    return parts.map((part) =>
      part.map((ref) => known.get(nameOf(ref))!).reduceRight((right, left) => nodeHash(left, right)),
    );
  }
}

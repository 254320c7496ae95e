import { Inject, Injectable } from '@nestjs/common';
import { EMPTY_TREE, nodeHash, rootOf } from '../../event-store/index.js';
import { Database, type Queryable } from '../../platform/database/index.js';
import { NotYetCovered } from '../errors.js';
import { consistencyRanges, inclusionRanges, type LeafRange, subtreesOf } from './ranges.js';
import { loadNodes, nameOf, TREE_CONSUMER } from './stored-nodes.js';

/** Makes proofs from the interior nodes of the partitions' trees, in O(log n). */
@Injectable()
export class TreeNodes {
  constructor(@Inject(Database) private readonly database: Queryable) {}

  /** How many of a partition's leaves the stored nodes cover. */
  async covered(partition: number): Promise<bigint> {
    const [row] = await this.database.query<{ position: string }>({
      name: 'tree-nodes-covered',
      text: 'select position from subscription where partition = $1 and consumer = $2',
      values: [partition, TREE_CONSUMER],
    });
    return BigInt(row?.position ?? 0);
  }

  /** Root of the partition's tree when it had `size` leaves. @throws NotYetCovered */
  async root(partition: number, size: bigint): Promise<Buffer> {
    if (size === 0n) return rootOf(EMPTY_TREE);
    return (await this.#hashes(partition, [{ start: 0n, end: size }], size))[0]!;
  }

  /**
   * Inclusion proofs of the events at `positions` in the tree of `size` leaves, with as many reads as one takes.
   * @throws NotYetCovered
   */
  async inclusions(partition: number, positions: readonly bigint[], size: bigint): Promise<Buffer[][]> {
    const ranges = positions.map((position) => inclusionRanges(position - 1n, size));
    const hashes = await this.#hashes(partition, ranges.flat(), size);
    let used = 0;
    return ranges.map(({ length }) => hashes.slice(used, (used += length)));
  }

  /** Consistency proof of the tree of `earlier` leaves with that of `size`. @throws NotYetCovered */
  async consistency(partition: number, earlier: bigint, size: bigint): Promise<Buffer[]> {
    return earlier === 0n ? [] : this.#hashes(partition, consistencyRanges(earlier, size), size);
  }

  /** Hashes of ranges of leaves, with two reads in all. */
  async #hashes(partition: number, ranges: readonly LeafRange[], size: bigint): Promise<Buffer[]> {
    const covered = await this.covered(partition);
    if (size > covered) throw new NotYetCovered(partition, size, covered);
    const parts = ranges.map(subtreesOf);
    const refs = new Map(parts.flat().map((ref) => [nameOf(ref), ref]));
    const known = await loadNodes(this.database, partition, [...refs.values()]);
    return parts.map((part) =>
      part.map((ref) => known.get(nameOf(ref))!).reduceRight((right, left) => nodeHash(left, right)),
    );
  }
}

import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import {
  EMPTY_TREE,
  eventsAfter,
  hashEvent,
  makeCheckpoint,
  moveCheckpoints,
  nodeHash,
  parseEventRow,
  rootOf,
} from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { HistoryAltered, NotYetCovered } from '../errors.js';
import { consistencyRanges, inclusionRanges, type LeafRange, type SubtreeRef, subtreesOf } from './ranges.js';

/**
 * Complete subtrees of 16 leaves and more are stored. Those below are hashed anew from at most 15 leaves, which
 * stand in the log side by side: an eighth of a row an event instead of one, and a proof still costs two reads.
 */
const LOWEST_STORED_LEVEL = 4;
/** Events hashed at a stretch: some milliseconds in which the process answers nobody. */
const PAGE = 250;
const CONSUMER = 'tree-nodes';

interface StoredNode extends SubtreeRef {
  readonly hash: Buffer;
}

const nameOf = ({ level, index }: SubtreeRef) => `${level}/${index}`;

/** Interior nodes of the partitions' trees: makes them, and answers proofs from them in O(log n). */
@Injectable()
export class TreeNodes {
  constructor(private readonly database: Database) {}

  /** How many of a partition's leaves the stored nodes cover. */
  async covered(partition: number): Promise<bigint> {
    const [row] = await this.database.query<{ position: string }>({
      name: 'tree-nodes-covered',
      text: 'select position from subscription where partition = $1 and consumer = $2',
      values: [partition, CONSUMER],
    });
    return BigInt(row?.position ?? 0);
  }

  /**
   * Hashes every event up to `target` from its own bytes and stores the nodes that become complete. A page is a
   * short transaction, and is followed by a rest of twice its time: nobody waits for it, and behind a burst there are
   * many of them. Another process that is at it is left alone.
   * @returns whether the nodes cover `target` now
   * @throws HistoryAltered when an event is missing or does not have the hash that stands beside it
   */
  async extend(partition: number, target: bigint): Promise<boolean> {
    await this.database.backgroundQuery(makeCheckpoint(partition, CONSUMER));
    for (;;) {
      const began = performance.now();
      const reached = await this.database.transaction((client) => this.#extendByPage(client, partition, target));
      if (reached === undefined) return false;
      if (reached >= target) return true;
      await setTimeout(2 * (performance.now() - began));
    }
  }

  /** Root of the partition's tree when it had `size` leaves. @throws NotYetCovered */
  async root(partition: number, size: bigint): Promise<Buffer> {
    if (size === 0n) return rootOf(EMPTY_TREE);
    return (await this.#hashes(partition, [{ start: 0n, end: size }], size))[0]!;
  }

  /** Siblings that prove the event at `position` to be in the tree of `size` leaves. @throws NotYetCovered */
  async inclusion(partition: number, position: bigint, size: bigint): Promise<Buffer[]> {
    return (await this.inclusions(partition, [position], size))[0]!;
  }

  /** The proofs of several events, with no more reads than one takes. @throws NotYetCovered */
  async inclusions(partition: number, positions: readonly bigint[], size: bigint): Promise<Buffer[][]> {
    const ranges = positions.map((position) => inclusionRanges(position - 1n, size));
    const hashes = await this.#hashes(partition, ranges.flat(), size);
    let used = 0;
    return ranges.map(({ length }) => hashes.slice(used, (used += length)));
  }

  /** What proves that the tree of `size` leaves begins with that of `earlier`. @throws NotYetCovered */
  async consistency(partition: number, earlier: bigint, size: bigint): Promise<Buffer[]> {
    return earlier === 0n ? [] : this.#hashes(partition, consistencyRanges(earlier, size), size);
  }

  async #extendByPage(client: PoolClient, partition: number, target: bigint): Promise<bigint | undefined> {
    const lock = await client.query<{ position: string }>({
      name: 'subscription-lock',
      text: `
      select position from subscription
      where partition = $1 and consumer = $2
      for update skip locked`,
      values: [partition, CONSUMER],
    });
    if (!lock.rows[0]) return undefined;
    const covered = BigInt(lock.rows[0].position);
    if (covered >= target) return covered;
    const wanted = Math.min(PAGE, Number(target - covered));
    const { rows } = await client.query<Record<string, unknown>>({ ...eventsAfter(partition, covered, wanted) });
    const leaves = rows.map((raw, i) => {
      const row = parseEventRow(raw);
      const expected = covered + BigInt(i + 1);
      if (row.position !== expected) throw new HistoryAltered(partition, expected, 'the event is missing');
      const leaf = hashEvent(row);
      if (!leaf.equals(row.leaf)) throw new HistoryAltered(partition, expected, 'the event does not have its hash');
      return leaf;
    });
    if (leaves.length < wanted) {
      throw new HistoryAltered(partition, covered + BigInt(leaves.length + 1), 'the event is missing');
    }
    const nodes = await this.#completed(partition, covered, leaves);
    await store(client, partition, nodes);
    const reached = covered + BigInt(leaves.length);
    await client.query({ ...moveCheckpoints(partition, [CONSUMER], reached) });
    return reached;
  }

  /** The nodes to be stored that `leaves` complete, when they follow the first `covered` ones. */
  async #completed(partition: number, covered: bigint, leaves: readonly Buffer[]): Promise<StoredNode[]> {
    const refs = subtreesOf({ start: 0n, end: covered });
    const known = await this.#load(partition, refs);
    const peaks = refs.map((ref) => known.get(nameOf(ref))!);
    const completed: StoredNode[] = [];
    leaves.forEach((leaf, i) => {
      let index = covered + BigInt(i);
      let hash = leaf;
      let level = 0;
      for (; index & 1n; index >>= 1n) {
        hash = nodeHash(peaks.pop()!, hash);
        level += 1;
        if (level >= LOWEST_STORED_LEVEL) completed.push({ level, index: index >> 1n, hash });
      }
      peaks.push(hash);
    });
    return completed;
  }

  /** Hashes of ranges of leaves, all with two reads. */
  async #hashes(partition: number, ranges: readonly LeafRange[], size: bigint): Promise<Buffer[]> {
    const covered = await this.covered(partition);
    if (size > covered) throw new NotYetCovered(partition, size, covered);
    const parts = ranges.map(subtreesOf);
    const refs = new Map(parts.flat().map((ref) => [nameOf(ref), ref]));
    const known = await this.#load(partition, [...refs.values()]);
    return parts.map((part) =>
      part.map((ref) => known.get(nameOf(ref))!).reduceRight((right, left) => nodeHash(left, right)),
    );
  }

  async #load(partition: number, refs: readonly SubtreeRef[]): Promise<Map<string, Buffer>> {
    const stored = refs.filter(({ level }) => level >= LOWEST_STORED_LEVEL);
    const small = refs.filter(({ level }) => level < LOWEST_STORED_LEVEL);
    const found = new Map<string, Buffer>();
    if (stored.length > 0) {
      const rows = await this.database.backgroundQuery<{ level: number; index: string; hash: Buffer }>({
        name: 'tree-node-load',
        text: `
          select n.level, n.index, n.hash
          from tree_node n
          join unnest($2::smallint[], $3::bigint[]) as w (level, index) on w.level = n.level and w.index = n.index
          where n.partition = $1`,
        values: [partition, stored.map(({ level }) => level), stored.map(({ index }) => index)],
      });
      for (const { level, index, hash } of rows) found.set(`${level}/${index}`, hash);
    }
    if (small.length > 0) await this.#hashLeaves(partition, small, found);
    for (const ref of refs) {
      if (!found.has(nameOf(ref))) {
        throw new HistoryAltered(
          partition,
          (ref.index << BigInt(ref.level)) + 1n,
          'a stored node of the tree is missing',
        );
      }
    }
    return found;
  }

  async #hashLeaves(partition: number, refs: readonly SubtreeRef[], found: Map<string, Buffer>): Promise<void> {
    const positionsOf = ({ level, index }: SubtreeRef) =>
      Array.from({ length: 1 << level }, (_, i) => (index << BigInt(level)) + BigInt(i) + 1n);
    const rows = await this.database.backgroundQuery<{ position: string; leaf: Buffer }>({
      name: 'tree-leaves-load',
      text: 'select position, leaf from event where partition = $1 and position = any($2::bigint[])',
      values: [partition, refs.flatMap(positionsOf)],
    });
    const leaves = new Map(rows.map(({ position, leaf }) => [position, leaf]));
    for (const ref of refs) {
      let row = positionsOf(ref).map((position) => leaves.get(String(position)));
      if (row.includes(undefined)) continue;
      while (row.length > 1) row = pairs(row as Buffer[]);
      found.set(nameOf(ref), row[0]!);
    }
  }
}

function pairs(row: readonly Buffer[]): Buffer[] {
  return Array.from({ length: row.length / 2 }, (_, i) => nodeHash(row[2 * i]!, row[2 * i + 1]!));
}

async function store(client: PoolClient, partition: number, nodes: readonly StoredNode[]): Promise<void> {
  if (nodes.length === 0) return;
  await client.query({
    name: 'tree-node-insert',
    text: `
      insert into tree_node (partition, level, index, hash)
      select $1, n.level, n.index, n.hash
      from unnest($2::smallint[], $3::bigint[], $4::bytea[]) as n (level, index, hash)`,
    values: [
      partition,
      nodes.map(({ level }) => level),
      nodes.map(({ index }) => index),
      nodes.map(({ hash }) => hash),
    ],
  });
}

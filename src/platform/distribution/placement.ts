import type { Client } from 'pg';
import { NO_NODES } from './distribute.js';
import { nodeAddresses, type Placed, placedPartitions, shardCount, shardNodes } from './layout.js';
import { DistributionRefused } from './refused.js';

/** A created partition with its size and load. */
export interface Weighed extends Placed {
  readonly events: number;
  readonly bytes: number;
  readonly eventsPerSecond: number;
}

export interface Move {
  readonly partition: number;
  readonly shard: string;
  readonly from: string;
  readonly to: string;
  /** Whether the shard waits for partitions that are not made yet. */
  readonly isEmpty: boolean;
}

export interface Placement {
  readonly partitions: readonly Weighed[];
  /** Partitions that are not made yet, with a shard. */
  readonly waiting: readonly Placed[];
  /** Addresses of the nodes that take shards, by identifier. */
  readonly nodes: ReadonlyMap<string, string>;
  /** Of all nodes. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** @param seconds between two reads of the heads */
export async function readPlacement(client: Client, seconds: number): Promise<Placement> {
  const { rows } = await client.query<{ highest: number }>('select max(partition) as highest from public.log_head');
  const highest = Math.max(rows[0]!.highest, (await shardCount(client)) - 1);
  const before = await placedPartitions(client, highest);
  const began = performance.now();
  await new Promise((resume) => setTimeout(resume, seconds * 1000));
  const after = await placedPartitions(client, highest);
  const elapsed = (performance.now() - began) / 1000;
  const bytes = await shardBytes(client);
  return {
    nodes: await shardNodes(client),
    addresses: await nodeAddresses(client),
    waiting: after.filter(({ events }) => events === null),
    partitions: after.flatMap((one, i) =>
      one.events === null
        ? []
        : {
            ...one,
            events: one.events,
            bytes: bytes.get(one.shard) ?? 0,
            eventsPerSecond: Math.round((one.events - (before[i]!.events ?? 0)) / elapsed),
          },
    ),
  };
}

/** Of all tables together, by the colocated shard of the head. */
async function shardBytes(client: Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ shard: string; bytes: string }>(`
    select h.shardid::text as shard, sum(c.shard_size) as bytes
    from pg_dist_shard h
    join pg_dist_partition d on d.logicalrelid = h.logicalrelid
    join pg_dist_shard s on s.shardminvalue = h.shardminvalue
    join pg_dist_partition o on o.logicalrelid = s.logicalrelid and o.colocationid = d.colocationid
    join citus_shards c on c.shardid = s.shardid
    where h.logicalrelid = 'public.log_head'::regclass
    group by h.shardid`);
  return new Map(rows.map(({ shard, bytes }) => [shard, Number(bytes)]));
}

/** Below this share of the whole a move is not worth its cost. */
const WORTH = 0.05;

/**
 * Moves that balance the load of nodes, one partition at a time, each the best after those before it: by events a
 * second, by events without load, never by bytes. A shard that holds two partitions is moved as one, and a node that
 * takes no shards any more is emptied, also of shards that wait for their partitions.
 * @throws DistributionRefused where no node takes any
 */
export function proposeMoves({ partitions, waiting, nodes }: Omit<Placement, 'addresses'>): Move[] {
  if (nodes.size === 0) throw new DistributionRefused(NO_NODES);
  const isIdle = partitions.every(({ eventsPerSecond }) => eventsPerSecond === 0);
  const raw = (one: Weighed) => (isIdle ? one.events : one.eventsPerSecond);
  const sum = partitions.reduce((total, one) => total + raw(one), 0);
  // Each counts a little, so that empty ones are balanced too.
  const weight = (one: Weighed) =>
    sum === 0 ? 1 / partitions.length : (0.9 * raw(one)) / sum + 0.1 / partitions.length;
  const shards = new Map<string, { partition: number; node: string; weight: number }>();
  for (const one of partitions) {
    const known = shards.get(one.shard);
    if (known) known.weight += weight(one);
    else shards.set(one.shard, { partition: one.partition, node: one.node, weight: weight(one) });
  }
  const load = new Map([...nodes.keys()].map((node) => [node, 0]));
  for (const { node, weight: own } of shards.values()) if (load.has(node)) load.set(node, load.get(node)! + own);
  const by = (better: (one: number, other: number) => boolean) =>
    [...load].reduce((best, one) => (better(one[1], best[1]) ? one : best))[0];
  const moves: Move[] = [];
  const move = (shard: string, to: string) => {
    const one = shards.get(shard)!;
    moves.push({ partition: one.partition, shard, from: one.node, to, isEmpty: false });
    if (load.has(one.node)) load.set(one.node, load.get(one.node)! - one.weight);
    load.set(to, load.get(to)! + one.weight);
    one.node = to;
  };
  // A node that takes no shards any more is to be emptied.
  for (const [shard, { node }] of shards)
    if (!load.has(node))
      move(
        shard,
        by((one, least) => one < least),
      );
  const taking = [...nodes.keys()];
  for (const { partition, shard, node } of waiting) {
    if (load.has(node) || shards.has(shard) || moves.some((one) => one.shard === shard)) continue;
    moves.push({ partition, shard, from: node, to: taking[moves.length % taking.length]!, isEmpty: true });
  }
  for (;;) {
    const from = by((one, most) => one > most);
    const to = by((one, least) => one < least);
    const gap = load.get(from)! - load.get(to)!;
    const left = (shard: string) => Math.abs(gap - 2 * shards.get(shard)!.weight);
    const [best] = [...shards.keys()]
      .filter((shard) => shards.get(shard)!.node === from)
      .sort((one, other) => left(one) - left(other));
    if (best === undefined || gap - left(best) < WORTH) return moves;
    move(best, to);
  }
}

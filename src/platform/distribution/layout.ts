import type { Client } from 'pg';

/** An empty table: its shard ranges and placements apply to all colocated tables. */
export const LAYOUT = 'public.partition_layout';

/** Partitions with a shard from the beginning, created or not: an empty one costs little. */
const FIRST_SHARDS = 32;

/**
 * Makes the layout: a shard for each partition, on the nodes in turn. Hashes of 0, 1, 2 … are scattered: in even ranges
 * two partitions would share a shard, and one node would have three quarters of them. Each range ends with the hash of
 * its partition.
 * @param partitions the highest one
 */
export function layoutPlan(partitions: number): string[] {
  const shards = Math.max(partitions + 1, FIRST_SHARDS);
  return [
    `create table if not exists ${LAYOUT} (number int primary key)`,
    `select create_distributed_table('${LAYOUT}', 'number', colocate_with => 'none', shard_count => 1) ` +
      `where not exists (select from pg_dist_partition where logicalrelid = '${LAYOUT}'::regclass)`,
    `select citus_split_shard_by_split_points(s.shardid, c.ends[:${shards - 1}], c.nodes, 'block_writes') ` +
      `from pg_dist_shard s, (` +
      `select array_agg(hash::text order by hash) as ends, array_agg(node order by hash) as nodes from (` +
      `select worker_hash(p) as hash, n.ids[1 + p % cardinality(n.ids)] as node ` +
      `from generate_series(0, ${shards - 1}) as p, ` +
      `(select array_agg(nodeid::int order by nodeid) as ids from pg_dist_node ${TAKES_SHARDS}) as n) as cut) as c ` +
      `where s.logicalrelid = '${LAYOUT}'::regclass ` +
      `and (s.shardminvalue::bigint, s.shardmaxvalue::bigint) = (-2147483648, 2147483647)`,
  ];
}

const TAKES_SHARDS = `where isactive and shouldhaveshards and noderole = 'primary'`;

/** The placement of a partition. */
export interface Placed {
  readonly partition: number;
  readonly shard: string;
  readonly node: string;
  /** Of the log's head; `null` before the partition is created. */
  readonly events: number | null;
}

/** Of partitions 0 to `highest`. */
export async function placedPartitions(client: Client, highest: number): Promise<Placed[]> {
  const { rows } = await client.query<{ partition: number; shard: string; node: string }>(
    `select l.partition, p.shardid::text as shard, n.nodeid::text as node
     from generate_series(0, $1::int) as l (partition)
     join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('public.log_head', l.partition)
     join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
     order by l.partition`,
    [highest],
  );
  const { rows: heads } = await client.query<{ partition: number; position: string }>(
    'select partition, position from public.log_head',
  );
  const events = new Map(heads.map(({ partition, position }) => [partition, Number(position)]));
  return rows.map((row) => ({ ...row, events: events.get(row.partition) ?? null }));
}

/** Addresses of nodes that take shards, by identifier. */
export async function shardNodes(client: Client): Promise<Map<string, string>> {
  return addressesOf(client, TAKES_SHARDS);
}

async function addressesOf(client: Client, which: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; address: string }>(
    `select nodeid::text as id, nodename || ':' || nodeport as address from pg_dist_node ${which} order by nodeid`,
  );
  return new Map(rows.map(({ id, address }) => [id, address]));
}

/** Addresses of all nodes, by identifier. */
export async function nodeAddresses(client: Client): Promise<Map<string, string>> {
  return addressesOf(client, '');
}

/** How many shards a table has: as many partitions, from 0 on, have one of their own. */
export async function shardCount(client: Client): Promise<number> {
  const { rowCount } = await client.query(`select from pg_dist_shard where logicalrelid = 'public.log_head'::regclass`);
  return rowCount!;
}

/** @param online by logical replication, for shards with rows; else writes wait while the shard is copied */
export async function moveShard(
  client: Client,
  { shard, from, to, online }: { shard: string; from: string; to: string; online: boolean },
): Promise<void> {
  // A new node has no copies of the registry's tables, which statements of a partition join.
  await client.query('select replicate_reference_tables()');
  await client.query('select citus_move_shard_placement($1::bigint, $2::int, $3::int, $4::citus.shard_transfer_mode)', [
    shard,
    from,
    to,
    online ? 'force_logical' : 'block_writes',
  ]);
}

/** Moves the shard of a partition to be created to the node with the fewest, if it has a shard of its own. */
export async function settle(client: Client, partition: number, highest: number): Promise<void> {
  const placed = await placedPartitions(client, highest);
  const own = placed.find((one) => one.partition === partition)!;
  if (placed.some((one) => one !== own && one.shard === own.shard)) return;
  const count = (node: string) => placed.filter((one) => one.node === node && one.events !== null).length;
  const nodes = [...(await shardNodes(client)).keys()];
  const fewest = Math.min(...nodes.map(count));
  if (nodes.length === 0 || (nodes.includes(own.node) && count(own.node) === fewest)) return;
  const to = nodes.find((node) => count(node) === fewest)!;
  await moveShard(client, { shard: own.shard, from: own.node, to, online: false });
}

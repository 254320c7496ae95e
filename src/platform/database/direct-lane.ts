import { PipelinedConnection, type PipelinedStatement } from '@partner-payments/pg-pipeline';
import { serviceConnection, type SessionSettings } from './connection-settings.js';
import type { ShardLocation } from './shard-locations.js';

/** The partition's shard is not, or no longer, at this node. Nothing of the group was done. */
class ShardMoved extends Error {
  override readonly name = 'ShardMoved';

  constructor(override readonly cause: unknown) {
    super('the partition is not at this server, or is on its way');
  }
}

/**
 * A connection directly to the node that has a partition (ADR 0021). Temporary views give the partition's shards the
 * names of their tables, so that PostgreSQL alone plans and runs the statements, as on one server. Each transaction
 * first takes the lock that keeps the shard from moving, as every write by Citus does, and checks that it is still
 * there.
 */
export function openDirectLane(
  partition: number,
  location: ShardLocation,
  settings: SessionSettings,
): Promise<PipelinedConnection> {
  const guard = {
    statements: [lockShard(partition), assertShard(location.shard)],
    failure: (cause: unknown) => new ShardMoved(cause),
  };
  return PipelinedConnection.open(
    serviceConnection(location.url, 'lane', settings),
    [OWN_SESSION, ...views(location)],
    guard,
  );
}

/** The views are not propagated to the coordinator, and direct writes to shards are intended. */
const OWN_SESSION: PipelinedStatement = {
  text: `
    select set_config('citus.enable_ddl_propagation', 'off', false),
      set_config('citus.enable_manual_changes_to_shards', 'on', false),
      set_config('plan_cache_mode', 'force_generic_plan', false)`,
};

function views({ shards }: ShardLocation): PipelinedStatement[] {
  return [...shards].map(([table, shard]) => ({ text: `create temp view ${table} as select * from ${shard}` }));
}

/** Updates no row: planning it makes Citus take the lock that keeps a shard, and those colocated, from moving. */
function lockShard(partition: number): PipelinedStatement {
  return {
    name: 'place-hold',
    text: 'update public.log_head set position = position where partition = $1 and position < 0',
    values: [partition],
  };
}

/** Fails if the shard is not, or no longer, at this node. */
function assertShard(shard: string): PipelinedStatement {
  return {
    name: 'place-assert',
    text: `
      select 1 / count(*) from pg_dist_placement p join pg_dist_local_group g on g.groupid = p.groupid
      where p.shardid = $1`,
    values: [shard],
  };
}

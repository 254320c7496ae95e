import { PipelinedConnection, type PipelinedStatement } from '@partner-payments/pg-pipeline';
import { serviceConnection, type SessionSettings } from './connection-settings.js';
import type { Place } from './places.js';

/** The partition is not, or no longer, to be had through this connection. Nothing of the group was done. */
class Misplaced extends Error {
  override readonly name = 'Misplaced';

  constructor(override readonly cause: unknown) {
    super('the partition is not at this server, or is on its way');
  }
}

/**
 * A connection straight to the node that has a partition (ADR 0021). The partition's shards are known to the session by
 * the names of their tables, as views of its own: what it is told is planned and run by PostgreSQL alone, as on one
 * server. Each transaction first holds the partition where it is, as every write by Citus does, and looks whether it is
 * still there.
 */
export function openDirectLane(
  partition: number,
  place: Place,
  settings: SessionSettings,
): Promise<PipelinedConnection> {
  const guard = {
    statements: [holdPlace(partition), assertPlace(place.shard)],
    failure: (cause: unknown) => new Misplaced(cause),
  };
  return PipelinedConnection.open(
    serviceConnection(place.url, 'lane', settings),
    [OWN_SESSION, ...views(place)],
    guard,
  );
}

/** The coordinator need not know of views in a session, and writes to shards are what it is made for. */
const OWN_SESSION: PipelinedStatement = {
  text: `
    select set_config('citus.enable_ddl_propagation', 'off', false),
      set_config('citus.enable_manual_changes_to_shards', 'on', false),
      set_config('plan_cache_mode', 'force_generic_plan', false)`,
};

function views({ shards }: Place): PipelinedStatement[] {
  return [...shards].map(([table, shard]) => ({ text: `create temp view ${table} as select * from ${shard}` }));
}

/** Changes nothing: by its plan Citus takes the lock that keeps a shard, and those beside it, from moving away. */
function holdPlace(partition: number): PipelinedStatement {
  return {
    name: 'place-hold',
    text: 'update public.log_head set position = position where partition = $1 and position < 0',
    values: [partition],
  };
}

/** Fails where the shard is not, or no longer, this node's. */
function assertPlace(shard: string): PipelinedStatement {
  return {
    name: 'place-assert',
    text: `
      select 1 / count(*) from pg_dist_placement p join pg_dist_local_group g on g.groupid = p.groupid
      where p.shardid = $1`,
    values: [shard],
  };
}

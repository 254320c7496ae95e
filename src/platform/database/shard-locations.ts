import type { PipelinedStatement } from '@partner-payments/pg-pipeline';
import type { QueryResultRow } from 'pg';
import { placements } from '../../../migrations/placements.js';

/** The node that has a partition, and the partition's shards there. */
export interface ShardLocation {
  /** The coordinator's URL with the node's host and port of `pg_dist_node`. */
  readonly url: string;
  /** The shard of the partition's row in `log_head`; its other shards are colocated. */
  readonly shard: string;
  /** SQL names of the shards that lanes write to, by table name. */
  readonly shards: ReadonlyMap<string, string>;
}

interface Row extends QueryResultRow {
  readonly partition: number;
  readonly host: string;
  readonly port: number;
  readonly shard: string;
  readonly shards: Readonly<Record<string, string>>;
}

const REFRESH_MS = 10_000;

/** Without tables that a rebuild replaces: a session's view of one would prevent that. */
const WRITTEN_BY_LANES = Object.entries(placements)
  .filter(([, placement]) => placement.kind === 'distributed' && !placement.rebuilt)
  .map(([table]) => table.slice('public.'.length));

const HAS_CITUS = { name: 'places-extension', text: `select from pg_extension where extname = 'citus'` };

const IS_DISTRIBUTED = {
  name: 'places-any',
  text: `select from pg_dist_partition where logicalrelid = to_regclass('public.log_head') and partmethod = 'h'`,
};

/**
 * The nodes of partitions on a distributed database. A location may be stale: writes assert it (`direct-lane.ts`), and
 * reads are forwarded by the node.
 */
export class ShardLocations {
  #known: ReadonlyMap<number, ShardLocation> = new Map();
  #partitions = 0;
  #mayBeDistributed = false;
  #refreshing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param ask runs a statement at the server of `url`: the coordinator, or the only one */
  constructor(
    private readonly url: string,
    private readonly ask: (statement: PipelinedStatement) => Promise<QueryResultRow[]>,
  ) {}

  /** @returns `undefined` on a single server, or while unknown */
  of(partition: number): ShardLocation | undefined {
    return this.#known.get(partition);
  }

  /** Whether the database is distributed. */
  get isDistributed(): boolean {
    return this.#known.size > 0;
  }

  /** Locates partitions up to this one, now and at an interval. */
  async follow(partitions: number): Promise<void> {
    this.#partitions = partitions;
    await this.refresh();
    this.#timer = setInterval(() => void this.refresh().catch(() => undefined), REFRESH_MS).unref();
  }

  /** Locates them again, after a partition was not found at its node. Concurrent callers share one refresh. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #refresh(): Promise<void> {
    // A single server may become distributed while processes run (`ledger distribute --move`).
    this.#mayBeDistributed ||= (await this.ask(HAS_CITUS)).length > 0 && (await this.ask(IS_DISTRIBUTED)).length > 0;
    if (!this.#mayBeDistributed) return;
    // Colocated shards have the same hash range.
    const rows = (await this.ask({
      name: 'places',
      text: `
        with head as (
          select s.*, d.colocationid from pg_dist_shard s
          join pg_dist_partition d on d.logicalrelid = s.logicalrelid
          where s.logicalrelid = 'public.log_head'::regclass and d.partmethod = 'h')
        select l.partition, n.nodename as host, n.nodeport as port, h.shardid as shard,
          (select json_object_agg(c.relname, shard_name(s.logicalrelid, s.shardid))
           from pg_dist_shard s
           join pg_dist_partition d on d.logicalrelid = s.logicalrelid and d.colocationid = h.colocationid
           join pg_class c on c.oid = s.logicalrelid
           where s.shardminvalue = h.shardminvalue and c.relname = any($2)) as shards
        from generate_series(1, $1) as l (partition)
        join head h on h.shardid = get_shard_id_for_distribution_column('public.log_head', l.partition)
        join pg_dist_placement p on p.shardid = h.shardid
        join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`,
      values: [this.#partitions, WRITTEN_BY_LANES],
    })) as Row[];
    this.#known = new Map(
      rows.map(({ partition, host, port, shard, shards }) => [
        partition,
        { url: atNode(this.url, host, port), shard, shards: new Map(Object.entries(shards)) },
      ]),
    );
  }
}

/** @returns the coordinator's URL with a node's host and port */
export function atNode(url: string, host: string, port: number): string {
  const address = new URL(url);
  address.hostname = host.includes(':') ? `[${host}]` : host;
  address.port = String(port);
  for (const replaced of ['host', 'port']) address.searchParams.delete(replaced);
  return address.href;
}

import type { PipelinedStatement } from '@partner-payments/pg-pipeline';
import type { QueryResultRow } from 'pg';
import { placements } from '../../../migrations/placements.js';

/** The node that has a partition, and the tables that are the partition's there. */
export interface Place {
  /** Its address as `pg_dist_node` has it, with the rest of the coordinator's. */
  readonly url: string;
  /** Of the partition's row in `log_head`: all of its other shards are where this one is. */
  readonly shard: string;
  /** SQL names of the shards that lanes write to, by the names of their tables. */
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

/** A session that knows a table as a view keeps others from replacing it. */
const WRITTEN_BY_LANES = Object.entries(placements)
  .filter(([, placement]) => placement.kind === 'distributed' && !placement.rebuilt)
  .map(([table]) => table.slice('public.'.length));

const HAS_CITUS = { name: 'places-extension', text: `select from pg_extension where extname = 'citus'` };

const IS_SPREAD = {
  name: 'places-any',
  text: `select from pg_dist_partition where logicalrelid = to_regclass('public.log_head') and partmethod = 'h'`,
};

/**
 * Where partitions are on a database that is spread over several nodes. What is known may be old: whoever writes by it
 * makes it a condition (`direct-lane.ts`), and whoever reads by it is sent on by the node.
 */
export class Places {
  #known: ReadonlyMap<number, Place> = new Map();
  #partitions = 0;
  #isSpread = false;
  #asking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param ask a statement of the server that `url` names: the coordinator, or the only one */
  constructor(
    private readonly url: string,
    private readonly ask: (statement: PipelinedStatement) => Promise<QueryResultRow[]>,
  ) {}

  /** @returns `undefined` where the database is one server, or nobody knows yet */
  of(partition: number): Place | undefined {
    return this.#known.get(partition);
  }

  /** Whether the database is spread at all. */
  get areMany(): boolean {
    return this.#known.size > 0;
  }

  /** Asks where partitions up to this one are, and again now and then, if they may move. */
  async follow(partitions: number): Promise<void> {
    this.#partitions = partitions;
    await this.refresh();
    this.#timer = setInterval(() => void this.refresh().catch(() => undefined), REFRESH_MS).unref();
  }

  /** For whoever found that a partition is not where it was. Callers at once share one look. */
  refresh(): Promise<void> {
    this.#asking ??= this.#refresh().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #refresh(): Promise<void> {
    // A database of one server may become one of several while processes run (`ledger distribute --move`).
    this.#isSpread ||= (await this.ask(HAS_CITUS)).length > 0 && (await this.ask(IS_SPREAD)).length > 0;
    if (!this.#isSpread) return;
    // Shards of tables that stand together have the same range of hashes.
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

function atNode(url: string, host: string, port: number): string {
  const address = new URL(url);
  address.hostname = host.includes(':') ? `[${host}]` : host;
  address.port = String(port);
  for (const replaced of ['host', 'port']) address.searchParams.delete(replaced);
  return address.href;
}

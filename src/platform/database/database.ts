import { PipelinedConnection, type PipelinedStatement } from '@partner-payments/pg-pipeline';
import { Client, type Pool, type QueryResultRow } from 'pg';
import { FairTurns } from '../fair-turns.js';
import { PLAN_ONCE, serviceConnection } from './connection-settings.js';
import { openDirectLane } from './direct-lane.js';
import { isConnectionFault } from './faults.js';
import { ShardLocations } from './shard-locations.js';
import {
  type PoolSize,
  poolSizeOf,
  READ_LIMITS,
  servicePool,
  ServerPools,
  type TransactionWork,
} from './server-pools.js';

/** Notifications are not stored: there is no need to wait for the disk. */
const NOTIFICATIONS = { ...READ_LIMITS, waitsForDisk: false };
const LANE = { statementTimeout: 5_000, lockTimeout: 4_000, idleInTransaction: 5_000 };

/** A source of reads: `Database` itself for requests, whose faults are answered with 503, or its `inBackground`. */
export interface Queryable {
  query<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]>;
}

/**
 * Access to PostgreSQL as the service's role. It connects at the first use. On a distributed database, a statement of
 * one partition goes to the node that has it (`useNodes`), and all others to the coordinator.
 */
export class Database implements Queryable {
  readonly #url: string;
  readonly #home: ServerPools;
  readonly #nodes = new Map<string, ServerPools>();
  readonly #registry: Pool;
  readonly #locations: ShardLocations;
  readonly #longReads: FairTurns;
  /** Reads of followers and workers, which must not wait for those of requests. */
  readonly inBackground: Queryable = {
    query: <Row extends QueryResultRow>(statement: PipelinedStatement) => this.backgroundQuery<Row>(statement),
  };

  /**
   * @param onIdleError called for connections that break while idle
   * @param sharers processes that share the connections which one would have
   */
  constructor(
    url: string,
    private readonly onIdleError: (error: Error) => void,
    private readonly sharers = 1,
  ) {
    this.#url = url;
    this.#home = new ServerPools(url, onIdleError, sharers);
    const half = Math.floor(poolSizeOf(sharers) / 2);
    this.#longReads = new FairTurns({ atOnce: half, atOnceOfOne: Math.ceil(half / 3), waiting: 256, waitMs: 3_000 });
    this.#registry = servicePool(url, 'registry', { max: 1 }, onIdleError);
    this.#locations = new ShardLocations(url, (statement) => this.#home.backgroundQuery(statement));
  }

  /** Locates the nodes of partitions up to this one, if the database is distributed, and uses them from now on. */
  useNodes(partitions: number): Promise<void> {
    return this.#locations.follow(partitions);
  }

  /** Whether partitions are on several nodes, each of which may be unavailable by itself. */
  get isSpread(): boolean {
    return this.#locations.isDistributed;
  }

  /** The server of a partition's statements, as a key: a stalled server affects only its own partitions. */
  serverOf(partition: number): string {
    return this.#locations.of(partition)?.url ?? this.#url;
  }

  /**
   * Runs one reading statement.
   * @throws DatabaseUnavailable for a transient fault; Overloaded when too many statements wait already
   */
  query<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    return this.#serverOf(statement).query<Row>(statement);
  }

  /**
   * Runs reading statements of one partition on one snapshot. @returns the rows of each
   * @throws as `query`
   */
  snapshot(statements: readonly PipelinedStatement[]): Promise<QueryResultRow[][]> {
    return this.#serverOf(statements[0]!).snapshot(statements);
  }

  /**
   * Keyed read, batched with those of concurrent requests.
   * @throws as `query`
   */
  lookUp<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    return this.#serverOf(statement).lookUp<Row>(statement);
  }

  /**
   * A read that may look at many more rows than it gives, such as a list of few among many, or one of many statements.
   * Half of the connections of requests read so, two for one reader: whatever is asked for, the others are left for
   * logins and keyed reads.
   * @param reader whose turn it is, such as a partner
   * @throws as `query`
   */
  inTurn<T>(reader: string, read: () => Promise<T>): Promise<T> {
    return this.#longReads.take(reader, read);
  }

  /** One statement on the background pool, so that followers and requests never wait for each other's connections. */
  backgroundQuery<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    return this.#serverOf(statement).backgroundQuery<Row>(statement);
  }

  /**
   * One statement on a connection that only the registry's follower uses: it must not wait for others, since without it
   * the process does not trust its caches, and refuses to serve.
   */
  async registryQuery<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    const result = await this.#registry.query<Row>({ ...statement });
    return result.rows;
  }

  /** As `backgroundQuery`, without parsing: rows are arrays of PostgreSQL's texts. */
  backgroundTexts(statement: PipelinedStatement): Promise<(string | null)[][]> {
    return this.#serverOf(statement).backgroundTexts(statement);
  }

  /**
   * Runs `work` in one transaction of the background pool; whatever it throws rolls back.
   * @param partition the only one whose rows it uses, if there is one
   */
  transaction<T>(work: TransactionWork<T>, partition?: number): Promise<T> {
    return this.#serverAt(partition).transaction(work);
  }

  /** A connection of a write lane's own, so that nothing else delays it. @param partition absent: of none */
  async openLane(partition?: number): Promise<PipelinedConnection> {
    const location = partition === undefined ? undefined : this.#locations.of(partition);
    if (!location) return PipelinedConnection.open(serviceConnection(this.#url, 'lane', LANE), [PLAN_ONCE]);
    try {
      return await openDirectLane(partition!, location, LANE);
    } catch (error) {
      // The shard may have moved: a retry uses the new location.
      void this.#locations.refresh().catch(() => undefined);
      throw isConnectionFault(error) ? error : new Error('the node does not have the partition', { cause: error });
    }
  }

  /** A connection that listens to channels; `lost` is called once when it breaks. */
  async listen(
    channels: readonly string[],
    on: { message: (channel: string, payload: string) => void; lost: () => void },
  ): Promise<{ notify(channel: string, payload: string): Promise<void>; close(): Promise<void> }> {
    // A notification is sent while others wait for their answers.
    const client = new Client({ ...serviceConnection(this.#url, 'news', NOTIFICATIONS), pipeline: true });
    let listening = false;
    const lose = () => {
      if (listening) on.lost();
      listening = false;
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ channel, payload }) => on.message(channel, payload ?? ''));
    try {
      await client.connect();
      for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      // A standby accepts the connection and refuses LISTEN: without this, every retry would leak a connection.
      await client.end().catch(() => undefined);
      throw error;
    }
    listening = true;
    return {
      notify: async (channel, payload) => void (await client.query('select pg_notify($1, $2)', [channel, payload])),
      close: () => {
        listening = false;
        return client.end();
      },
    };
  }

  /** The coordinator's pool for requests, for TypeORM. */
  get requestPool(): Pool {
    return this.#home.reads;
  }

  /** Sizes of the pools, summed over all servers. */
  poolSizes(): Record<'reads' | 'background', PoolSize> {
    const sizes = [this.#home, ...this.#nodes.values()].map((server) => server.sizes);
    const sum = (pool: 'reads' | 'background', member: keyof PoolSize) =>
      sizes.reduce((total, size) => total + size[pool][member], 0);
    const of = (pool: 'reads' | 'background') => ({
      total: sum(pool, 'total'),
      idle: sum(pool, 'idle'),
      waiting: sum(pool, 'waiting'),
    });
    return { reads: of('reads'), background: of('background') };
  }

  async close(): Promise<void> {
    this.#locations.stop();
    await Promise.all([this.#registry.end(), ...[this.#home, ...this.#nodes.values()].map((server) => server.close())]);
  }

  #serverOf(statement: PipelinedStatement): ServerPools {
    return this.#locations.isDistributed && isOfOnePartition(statement)
      ? this.#serverAt(statement.values![0])
      : this.#home;
  }

  /** The coordinator has copies of the registry's tables: it serves them whichever node is unavailable. */
  #serverAt(partition: unknown): ServerPools {
    const location = typeof partition === 'number' ? this.#locations.of(partition) : undefined;
    if (!location) return this.#home;
    let node = this.#nodes.get(location.url);
    if (!node) this.#nodes.set(location.url, (node = new ServerPools(location.url, this.onIdleError, this.sharers)));
    return node;
  }
}

const ofOnePartition = new Map<string, boolean>();

/** Whether the first parameter is the partition of all rows of a statement: such statements have this condition. */
function isOfOnePartition({ text }: PipelinedStatement): boolean {
  let known = ofOnePartition.get(text);
  if (known === undefined) ofOnePartition.set(text, (known = /\bpartition = \$1(?!\d)/.test(text)));
  return known;
}

import { PipelinedConnection, type PipelinedStatement } from '@partner-payments/pg-pipeline';
import { Client, type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { PLAN_ONCE, serviceConnection } from './connection-settings.js';
import { openDirectLane } from './direct-lane.js';
import { isConnectionFault } from './faults.js';
import { Places } from './places.js';
import { type PoolSize, READ_LIMITS, servicePool, ServerPools } from './server-pools.js';

/** What is told is nothing to keep: nobody need wait for the disk. */
const NEWS = { ...READ_LIMITS, waitsForDisk: false };
const LANE = { statementTimeout: 5_000, lockTimeout: 4_000, idleInTransaction: 5_000 };

/** Somewhere to read: `Database` itself for requests, whose faults are answered with 503, or its `inBackground`. */
export interface Reads {
  query<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]>;
}

/**
 * Access to PostgreSQL as the service's role. Nothing connects before it is first used. On a database that is spread
 * over nodes, a statement of one partition goes to the node that has it (`reach`), and all others to the coordinator.
 */
export class Database implements Reads {
  readonly #url: string;
  readonly #home: ServerPools;
  readonly #nodes = new Map<string, ServerPools>();
  readonly #registry: Pool;
  readonly #places: Places;
  /** Reads that must not wait for those of requests: followers' and workers'. */
  readonly inBackground: Reads = {
    query: <Row extends QueryResultRow>(statement: PipelinedStatement) => this.backgroundQuery<Row>(statement),
  };

  /** @param onIdleError told of connections that break while nobody uses them */
  constructor(
    url: string,
    private readonly onIdleError: (error: Error) => void,
  ) {
    this.#url = url;
    this.#home = new ServerPools(url, onIdleError);
    this.#registry = servicePool(url, 'registry', { max: 1 }, onIdleError);
    this.#places = new Places(url, (statement) => this.#home.backgroundQuery(statement));
  }

  /** Finds the nodes of partitions up to this one, if there are any, and uses them from now on. */
  reach(partitions: number): Promise<void> {
    return this.#places.follow(partitions);
  }

  /** Whether partitions are on nodes of their own, each of which may be away alone. */
  get isSpread(): boolean {
    return this.#places.areMany;
  }

  /** Names the server that statements of a partition go to: what hangs there hangs there only. */
  serverOf(partition: number): string {
    return this.#places.of(partition)?.url ?? this.#url;
  }

  /**
   * Runs one reading statement and gives its rows.
   * @throws DatabaseUnavailable when the moment is at fault, not the statement; Overloaded when too many wait already
   */
  query<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    return this.#serverOf(statement).query<Row>(statement);
  }

  /**
   * Rows by their keys, together with those that other requests ask for at the same time.
   * @throws as `query`
   */
  lookUp<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    return this.#serverOf(statement).lookUp<Row>(statement);
  }

  /** One statement on the background pool, so that followers of the log never wait for requests, nor these for them. */
  backgroundQuery<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    return this.#serverOf(statement).backgroundQuery<Row>(statement);
  }

  /**
   * One statement on a connection that only the registry's follower uses: it must not wait for anybody, for without it
   * the process trusts nothing that it knows, and refuses to serve.
   */
  async registryQuery<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    const result = await this.#registry.query<Row>({ ...statement });
    return result.rows;
  }

  /** As `backgroundQuery`, but nothing is parsed: rows are arrays, every value is PostgreSQL's own text of it. */
  backgroundTexts(statement: PipelinedStatement): Promise<(string | null)[][]> {
    return this.#serverOf(statement).backgroundTexts(statement);
  }

  /**
   * Runs `work` in one transaction of the background pool; whatever it throws rolls back.
   * @param partition the only one whose rows it touches, if it is so
   */
  transaction<T>(work: (client: PoolClient) => Promise<T>, partition?: number): Promise<T> {
    return this.#serverAt(partition).transaction(work);
  }

  /** A connection of a write lane: its own, so that nothing else can make it wait. @param partition absent: of none */
  async openLane(partition?: number): Promise<PipelinedConnection> {
    const place = partition === undefined ? undefined : this.#places.of(partition);
    if (!place) return PipelinedConnection.open(serviceConnection(this.#url, 'lane', LANE), [PLAN_ONCE]);
    try {
      return await openDirectLane(partition!, place, LANE);
    } catch (error) {
      // It may be elsewhere by now: whoever tries again finds it there.
      void this.#places.refresh().catch(() => undefined);
      throw isConnectionFault(error) ? error : new Error('the node does not have the partition', { cause: error });
    }
  }

  /** A connection that listens to channels; `lost` is called once when it breaks. */
  async listen(
    channels: readonly string[],
    on: { message: (channel: string, payload: string) => void; lost: () => void },
  ): Promise<{ notify(channel: string, payload: string): Promise<void>; close(): Promise<void> }> {
    const client = new Client(serviceConnection(this.#url, 'news', NEWS));
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
      // A standby lets everybody in and refuses this: one connection more with every try would fill the server.
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

  /** Connections in use, idle and waited for, by pool, of all servers together. */
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
    this.#places.stop();
    await Promise.all([this.#registry.end(), ...[this.#home, ...this.#nodes.values()].map((server) => server.close())]);
  }

  #serverOf(statement: PipelinedStatement): ServerPools {
    return this.#places.areMany && isOfOnePartition(statement) ? this.#serverAt(statement.values![0]) : this.#home;
  }

  /** The registry's copies are the coordinator's own: it answers for them whichever node is away. */
  #serverAt(partition: unknown): ServerPools {
    const place = typeof partition === 'number' ? this.#places.of(partition) : undefined;
    if (!place) return this.#home;
    let node = this.#nodes.get(place.url);
    if (!node) this.#nodes.set(place.url, (node = new ServerPools(place.url, this.onIdleError)));
    return node;
  }
}

const ofOnePartition = new Map<string, boolean>();

/** Whether a statement's first parameter is the partition of all that it touches: every statement of one says so. */
function isOfOnePartition({ text }: PipelinedStatement): boolean {
  let known = ofOnePartition.get(text);
  if (known === undefined) ofOnePartition.set(text, (known = /\bpartition = \$1(?!\d)/.test(text)));
  return known;
}

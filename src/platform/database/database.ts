import { Client, Pool, type PoolClient, type QueryResultRow } from 'pg';
import { ServiceUnavailable } from '../errors/index.js';
import { classifyFault } from './faults.js';
import { PipelinedConnection, type PipelinedStatement } from './pipelined-connection.js';
import { serviceConnection } from './connection-settings.js';

/** 503 for a read: the database is away or too busy. */
export class DatabaseUnavailable extends ServiceUnavailable {
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super('The database is not available at the moment.');
    this.cause = cause;
  }
}

const READ_LIMITS = { statementTimeout: 10_000, lockTimeout: 2_000, idleInTransaction: 10_000 };
const LANE_LIMITS = { statementTimeout: 5_000, lockTimeout: 4_000, idleInTransaction: 5_000 };

/** Access to PostgreSQL as the service's role. Nothing connects before it is first used. */
export class Database {
  readonly #url: string;
  readonly #pool: Pool;
  readonly #background: Pool;

  /** @param onIdleError told of connections that break while nobody uses them */
  constructor(url: string, onIdleError: (error: Error) => void) {
    this.#url = url;
    this.#pool = new Pool({ ...serviceConnection(url, 'reads', READ_LIMITS), max: 10 });
    this.#background = new Pool({ ...serviceConnection(url, 'background', READ_LIMITS), max: 10, pipeline: true });
    for (const pool of [this.#pool, this.#background]) {
      pool.on('error', onIdleError);
      // A connection may break while it is lent out and between two statements: its next statement fails, and
      // that is enough. Without a listener the process would end.
      pool.on('connect', (client) => client.on('error', () => undefined));
    }
  }

  /**
   * Runs one reading statement and gives its rows.
   * @throws DatabaseUnavailable when the moment is at fault, not the statement
   */
  async query<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    try {
      const result = await this.#pool.query<Row>({ ...statement });
      return result.rows;
    } catch (error) {
      throw classifyFault(error) === 'transient' ? new DatabaseUnavailable(error) : error;
    }
  }

  /** One statement on the background pool, so that followers of the log never wait for requests, nor these for them. */
  async backgroundQuery<Row extends QueryResultRow = QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    const result = await this.#background.query<Row>({ ...statement });
    return result.rows;
  }

  /** Runs `work` in one transaction of the background pool; whatever it throws rolls back. */
  async transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#background.connect();
    let broken: Error | undefined;
    try {
      // Travels with the first statement: connections of this pool do not wait for one answer before they send on.
      const begun = client.query('begin');
      begun.catch(() => undefined);
      const result = await work(client);
      await begun;
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: unknown) => (broken = failure as Error));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** A connection of a write lane: its own, so that nothing else can make it wait. */
  openLane(): Promise<PipelinedConnection> {
    return PipelinedConnection.open(serviceConnection(this.#url, 'lane', LANE_LIMITS));
  }

  /** A connection that listens to a channel; `lost` is called once when it breaks. */
  async listen(
    channel: string,
    on: { message: (payload: string) => void; lost: () => void },
  ): Promise<{ notify(payload: string): Promise<void>; close(): Promise<void> }> {
    const client = new Client(serviceConnection(this.#url, 'news', READ_LIMITS));
    let lost = false;
    const lose = () => {
      if (!lost) on.lost();
      lost = true;
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ payload }) => on.message(payload ?? ''));
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    return {
      notify: async (payload) => void (await client.query('select pg_notify($1, $2)', [channel, payload])),
      close: () => {
        lost = true;
        return client.end();
      },
    };
  }

  /** Connections in use, idle and waited for, by pool. */
  poolSizes(): Record<'reads' | 'background', { total: number; idle: number; waiting: number }> {
    const sizes = (pool: Pool) => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount });
    return { reads: sizes(this.#pool), background: sizes(this.#background) };
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#background.end()]);
  }
}

import { PipelinedConnection, type PipelinedStatement } from '@partner-payments/pg-pipeline';
import { type ClientBase, Pool, type PoolClient, type QueryArrayConfig, type QueryResultRow } from 'pg';
import { Overloaded, ServiceUnavailable } from '../errors/index.js';
import { PLAN_ONCE, serviceConnection } from './connection-settings.js';
import { classifyFault, isConnectionFault } from './faults.js';
import { LookUps } from './look-ups.js';

/** 503 for a read: the database is away or too busy. */
export class DatabaseUnavailable extends ServiceUnavailable {
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super('The database is not available at the moment.');
    this.cause = cause;
  }
}

/** Connections in use, idle and waited for. */
export interface PoolSize {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Statements that may wait for a connection of the readers' pool; more of them would only wait in vain. */
const MOST_WAITING = 500;
export const READ_LIMITS = { statementTimeout: 10_000, lockTimeout: 2_000, idleInTransaction: 10_000 };

/** A pool whose sessions are the service's. @param onIdleError told of connections that break while nobody uses them */
export function servicePool(
  url: string,
  purpose: string,
  settings: { readonly max: number; readonly pipeline?: boolean },
  onIdleError: (error: Error) => void,
): Pool {
  const config = {
    ...serviceConnection(url, purpose, READ_LIMITS),
    ...settings,
    onConnect: async (client: ClientBase) => void (await client.query(PLAN_ONCE)),
  };
  const pool = new Pool(config);
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The pool adds the connection, with the key that cancels its statements: nothing for a log.
    delete error.client;
    onIdleError(error);
  });
  // A connection may break while it is lent out and between two statements: its next statement fails, and that is
  // enough. Without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Connections of one server that several share: for requests, and for followers and workers. */
export class ServerPools {
  /** For requests. Only what needs a pool of pg itself takes it; `query` tells faults of the moment from others. */
  readonly reads: Pool;
  readonly #background: Pool;
  readonly #lookUps: LookUps;

  constructor(url: string, onIdleError: (error: Error) => void) {
    this.reads = servicePool(url, 'reads', { max: 10 }, onIdleError);
    this.#background = servicePool(url, 'background', { max: 10, pipeline: true }, onIdleError);
    this.#lookUps = new LookUps(
      () => PipelinedConnection.open(serviceConnection(url, 'look-ups', READ_LIMITS), [PLAN_ONCE]),
      2,
    );
  }

  async query<Row extends QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    if (this.reads.waitingCount >= MOST_WAITING) throw new Overloaded('Too many requests are waiting. Try again.');
    try {
      const result = await this.reads.query<Row>({ ...statement });
      return result.rows;
    } catch (error) {
      throw classifyFault(error) === 'transient' ? new DatabaseUnavailable(error) : error;
    }
  }

  async lookUp<Row extends QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    if (this.#lookUps.waiting >= MOST_WAITING) throw new Overloaded('Too many requests are waiting. Try again.');
    try {
      return (await this.#lookUps.find(statement)) as Row[];
    } catch (error) {
      throw classifyFault(error) === 'transient' ? new DatabaseUnavailable(error) : error;
    }
  }

  async backgroundQuery<Row extends QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    const result = await this.#background.query<Row>({ ...statement });
    return result.rows;
  }

  async backgroundTexts({ name, text, values }: PipelinedStatement): Promise<(string | null)[][]> {
    const types = { getTypeParser: () => (value: unknown) => value };
    const config: QueryArrayConfig = { name, text, values, types, rowMode: 'array' };
    const result = await this.#background.query<(string | null)[]>(config);
    return result.rows;
  }

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
      // A connection that gave no answer is not asked once more: it is given up, and the server rolls back.
      if (isConnectionFault(error)) broken = error as Error;
      else await client.query('rollback').catch((failure: unknown) => (broken = failure as Error));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  get sizes(): Record<'reads' | 'background', PoolSize> {
    return { reads: sizeOf(this.reads), background: sizeOf(this.#background) };
  }

  async close(): Promise<void> {
    await Promise.all([this.#lookUps.close(), this.reads.end(), this.#background.end()]);
  }
}

function sizeOf(pool: Pool): PoolSize {
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}

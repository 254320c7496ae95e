import { PipelinedConnection, type PipelinedStatement } from '@partner-payments/pg-pipeline';
import { type ClientBase, Pool, type PoolClient, type QueryArrayConfig, type QueryResultRow } from 'pg';
import { Overloaded, ServiceUnavailable } from '../errors/index.js';
import { PLAN_ONCE, serviceConnection } from './connection-settings.js';
import { EncodingClient } from './encoding-client.js';
import { classifyFault, isConnectionFault, isNotAsPrepared } from './faults.js';
import { LookUps } from './look-ups.js';

/** 503 for a read: the database is unavailable or too busy. */
export class DatabaseUnavailable extends ServiceUnavailable {
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super('The database is not available at the moment.');
    this.cause = cause;
  }
}

/** What a request is answered with: 503 where the database is unavailable or too busy. */
export function asRequestFault(error: unknown): unknown {
  return classifyFault(error) === 'transient' ? new DatabaseUnavailable(error) : error;
}

/** Adds a statement at the end of a transaction: it is sent with the commit. */
export type LastStatement = (statement: PipelinedStatement) => void;
/** What is done in a transaction. */
export type TransactionWork<T> = (client: PoolClient, last: LastStatement) => Promise<T>;

/** Connections in total and idle, and statements waiting for one. */
export interface PoolSize {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Statements that may wait for a connection of the readers' pool; further ones would time out anyway. */
const MAX_WAITING = 500;
/** Connections of a pool, and the least of a process that shares them with others. */
const POOL = 10;
const LEAST = 3;
/** @param sharers processes that share the connections of one */
export const poolSizeOf = (sharers: number) => Math.max(LEAST, Math.ceil(POOL / sharers));
export const lookUpsOf = (sharers: number) => (sharers === 1 ? 2 : 1);
export const READ_LIMITS = { statementTimeout: 10_000, lockTimeout: 2_000, idleInTransaction: 10_000 };

/** A pool of sessions with the service's settings. @param onIdleError called for connections that break while idle */
export function servicePool(
  url: string,
  purpose: string,
  settings: { readonly max: number; readonly pipeline?: boolean },
  onIdleError: (error: Error) => void,
): Pool {
  const config = {
    ...serviceConnection(url, purpose, READ_LIMITS),
    ...settings,
    Client: EncodingClient,
    onConnect: async (client: ClientBase) => void (await client.query(PLAN_ONCE)),
  };
  const pool = new Pool(config);
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The pool adds the connection, with its cancellation key, which must not be logged.
    delete error.client;
    onIdleError(error);
  });
  // A checked-out connection may break between two statements: its next statement fails, which is enough. Without a
  // listener the process would end.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The shared connections to one server: for requests, and for followers and workers. */
export class ServerPools {
  /** For requests. Use it only where a pool of pg is needed: `query` classifies faults. */
  readonly reads: Pool;
  readonly #background: Pool;
  readonly #lookUps: LookUps;

  /** @param sharers processes that share the connections of one */
  constructor(url: string, onIdleError: (error: Error) => void, sharers: number) {
    const max = poolSizeOf(sharers);
    this.reads = servicePool(url, 'reads', { max }, onIdleError);
    this.#background = servicePool(url, 'background', { max, pipeline: true }, onIdleError);
    this.#lookUps = new LookUps(
      () => PipelinedConnection.open(serviceConnection(url, 'look-ups', READ_LIMITS), [PLAN_ONCE]),
      lookUpsOf(sharers),
    );
  }

  async query<Row extends QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    if (this.reads.waitingCount >= MAX_WAITING) throw new Overloaded('Too many requests are waiting. Try again.');
    try {
      const result = await this.reads.query<Row>({ ...statement });
      return result.rows;
    } catch (error) {
      throw asRequestFault(error);
    }
  }

  /** Runs reading statements on one snapshot. */
  async snapshot(statements: readonly PipelinedStatement[]): Promise<QueryResultRow[][]> {
    if (this.reads.waitingCount >= MAX_WAITING) throw new Overloaded('Too many requests are waiting. Try again.');
    let broken: Error | undefined;
    let client: PoolClient | undefined;
    try {
      client = await this.reads.connect();
      await client.query('begin isolation level repeatable read read only');
      const found: QueryResultRow[][] = [];
      for (const statement of statements) found.push((await client.query<QueryResultRow>({ ...statement })).rows);
      await client.query('commit');
      return found;
    } catch (error) {
      broken = error as Error;
      throw asRequestFault(error);
    } finally {
      client?.release(broken);
    }
  }

  async lookUp<Row extends QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    if (this.#lookUps.waiting >= MAX_WAITING) throw new Overloaded('Too many requests are waiting. Try again.');
    try {
      return (await this.#lookUps.find(statement)) as Row[];
    } catch (error) {
      throw asRequestFault(error);
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

  async transaction<T>(work: TransactionWork<T>): Promise<T> {
    const client = await this.#background.connect();
    let broken: Error | undefined;
    try {
      const lastOnes: PipelinedStatement[] = [];
      const [begun, working] = inOneWrite(client, () => [
        answered(client.query('begin')),
        work(client, (statement) => void lastOnes.push(statement)),
      ]);
      const result = await working;
      // After a statement that failed, a commit rolls back.
      const ended = inOneWrite(client, () =>
        [...lastOnes.map((one) => client.query({ ...one })), client.query('commit')].map(answered),
      );
      await Promise.all([begun, ...ended]);
      return result;
    } catch (error) {
      // A connection that did not answer is not used again: it is closed, and the server rolls back.
      if (isConnectionFault(error) || isNotAsPrepared(error)) broken = error as Error;
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

/** Runs statements on a pipelined connection. Those that are begun at once go into one packet. */
function inOneWrite<T>({ connection: { stream } }: PoolClient, begin: () => T): T {
  stream.cork();
  try {
    return begin();
  } finally {
    stream.uncork();
  }
}

/** A promise that is waited for later: until then its failure is nobody's. */
function answered<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}

function sizeOf(pool: Pool): PoolSize {
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}

import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import {
  failedStatement,
  GroupChannel,
  type PipelinedStatement,
  StatementGroup,
  type StatementResult,
} from './statement-group.ts';

/** Checks that a connection still leads to the right server: the caller begins each transaction with its statements. */
export interface Guard {
  readonly statements: readonly PipelinedStatement[];
  /** Thrown in place of the error of one of them. */
  readonly failure: (cause: unknown) => Error;
}

/**
 * One connection whose statements travel together: a group is sent as one message and answered as one, so that a
 * transaction costs one or two round trips, not one for each statement.
 */
export class PipelinedConnection {
  readonly #client: Client;
  readonly #channel = new GroupChannel();
  #broken: Error | undefined;

  readonly #guard: Guard | undefined;

  private constructor(client: Client, guard: Guard | undefined) {
    this.#client = client;
    this.#guard = guard;
    client.on('error', (error) => (this.#broken = error));
    client.on('end', () => (this.#broken ??= new Error('the database closed the connection')));
  }

  /**
   * @param first statements that begin the session
   * @param guard where one of its statements fails, the connection is destroyed
   */
  static async open(
    config: ClientConfig,
    first: readonly PipelinedStatement[] = [],
    guard?: Guard,
  ): Promise<PipelinedConnection> {
    const client = new Client(config);
    const connection = new PipelinedConnection(client, guard);
    try {
      await client.connect();
      if (first.length > 0) await connection.run(first);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    return connection;
  }

  /** The statements that begin a transaction. */
  get guard(): readonly PipelinedStatement[] {
    return this.#guard?.statements ?? [];
  }

  get usable(): boolean {
    return this.#broken === undefined;
  }

  /**
   * Sends the statements as one group and waits for all of their answers.
   * @throws the error of the first statement that failed; those after it were not run. The guard's `failure` where that
   *   was a statement of the guard
   */
  run(statements: readonly PipelinedStatement[]): Promise<StatementResult[]> {
    if (this.#broken) return Promise.reject(this.#broken);
    const { answered } = this.#client.query(new StatementGroup(statements, this.#channel));
    const guard = this.#guard;
    return guard ? answered.catch((error: unknown) => this.#failed(error, statements, guard)) : answered;
  }

  #failed(error: unknown, statements: readonly PipelinedStatement[], guard: Guard): never {
    const failed = failedStatement(error);
    if (failed === undefined || !guard.statements.includes(statements[failed]!)) throw error;
    this.destroy();
    throw guard.failure(error);
  }

  /** Runs one statement by itself. */
  async query<Row extends QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    const [result] = await this.run([statement]);
    return result!.rows as Row[];
  }

  /** Closes without waiting for the server: a statement in progress there ends by itself. */
  destroy(): void {
    this.#broken ??= new Error('the connection was given up');
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  async close(): Promise<void> {
    this.#broken ??= new Error('the connection was closed');
    await this.#client.end();
  }
}

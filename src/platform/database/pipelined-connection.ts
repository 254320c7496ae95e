import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import {
  failedStatement,
  GroupChannel,
  type PipelinedStatement,
  StatementGroup,
  type StatementResult,
} from './statement-group.js';

/** What the connection is for is not, or no longer, to be had through it. Nothing of the group was done. */
export class Misplaced extends Error {
  override readonly name = 'Misplaced';

  constructor(override readonly cause: unknown) {
    super('the partition is not at this server, or is on its way');
  }
}

/**
 * One connection whose statements travel together: a group is sent as one message and answered as one, so that a
 * transaction costs one or two journeys to the server and not one a statement.
 */
export class PipelinedConnection {
  readonly #client: Client;
  readonly #channel = new GroupChannel();
  #broken: Error | undefined;

  /** @param guard what every transaction begins with; where it fails, the connection is given up */
  private constructor(
    client: Client,
    readonly guard: readonly PipelinedStatement[],
  ) {
    this.#client = client;
    client.on('error', (error) => (this.#broken = error));
    client.on('end', () => (this.#broken ??= new Error('the database closed the connection')));
  }

  /** @param first what the session is told before all else */
  static async open(
    config: ClientConfig,
    first: readonly PipelinedStatement[] = [],
    guard: readonly PipelinedStatement[] = [],
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

  get usable(): boolean {
    return this.#broken === undefined;
  }

  /**
   * Sends the statements as one group and waits for all of their answers.
   * @throws the first failing statement's error; those after it were not run. Misplaced where that is of the guard
   */
  run(statements: readonly PipelinedStatement[]): Promise<StatementResult[]> {
    if (this.#broken) return Promise.reject(this.#broken);
    const { answered } = this.#client.query(new StatementGroup(statements, this.#channel));
    return this.guard.length === 0 ? answered : answered.catch((error: unknown) => this.#failed(error, statements));
  }

  #failed(error: unknown, statements: readonly PipelinedStatement[]): never {
    const failed = failedStatement(error);
    if (failed === undefined || !this.guard.includes(statements[failed]!)) throw error;
    this.destroy();
    throw new Misplaced(error);
  }

  /** Runs one statement by itself. */
  async query<Row extends QueryResultRow>(statement: PipelinedStatement): Promise<Row[]> {
    const [result] = await this.run([statement]);
    return result!.rows as Row[];
  }

  /** Closes without waiting for the server: what is under way there ends by itself. */
  destroy(): void {
    this.#broken ??= new Error('the connection was given up');
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  async close(): Promise<void> {
    this.#broken ??= new Error('the connection was closed');
    await this.#client.end();
  }
}

import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import { GroupChannel, type PipelinedStatement, StatementGroup, type StatementResult } from './statement-group.js';

/**
 * One connection whose statements travel together: a group is sent as one message and answered as one, so that a
 * transaction costs one or two journeys to the server and not one a statement.
 */
export class PipelinedConnection {
  readonly #client: Client;
  readonly #channel = new GroupChannel();
  #broken: Error | undefined;

  private constructor(client: Client) {
    this.#client = client;
    client.on('error', (error) => (this.#broken = error));
    client.on('end', () => (this.#broken ??= new Error('the database closed the connection')));
  }

  static async open(config: ClientConfig): Promise<PipelinedConnection> {
    const client = new Client(config);
    const connection = new PipelinedConnection(client);
    try {
      await client.connect();
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
   * @throws the first failing statement's error; those after it were not run
   */
  run(statements: readonly PipelinedStatement[]): Promise<StatementResult[]> {
    if (this.#broken) return Promise.reject(this.#broken);
    return this.#client.query(new StatementGroup(statements, this.#channel)).answered;
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

import { Client, type ClientConfig, type QueryResult } from 'pg';

export interface PipelinedStatement {
  readonly text: string;
  readonly name?: string;
  readonly values?: unknown[];
}

/**
 * One connection whose statements travel together: a group is sent without waiting for answers, so that a
 * transaction costs two journeys to the server and not one a statement.
 */
export class PipelinedConnection {
  readonly #client: Client;
  #broken: Error | undefined;

  private constructor(client: Client) {
    this.#client = client;
    client.on('error', (error) => (this.#broken = error));
    client.on('end', () => (this.#broken ??= new Error('the database closed the connection')));
  }

  static async open(config: ClientConfig): Promise<PipelinedConnection> {
    const client = new Client({ ...config, pipeline: true });
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
   * @throws the first statement's error, after every answer has arrived
   */
  async run(statements: readonly PipelinedStatement[]): Promise<QueryResult[]> {
    if (this.#broken) throw this.#broken;
    const settled = await Promise.allSettled(statements.map((statement) => this.#client.query({ ...statement })));
    const failed = settled.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return settled.map((result) => (result as PromiseFulfilledResult<QueryResult>).value);
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

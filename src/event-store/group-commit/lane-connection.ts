import { isConnectionFault, type PipelinedConnection, takesNoWrites } from '../../platform/database/index.js';
import type { Statement } from '../log/statement.js';

export const BEGIN: Statement = { name: 'begin', text: 'begin isolation level read committed', values: [] };
export const COMMIT: Statement = { name: 'commit', text: 'commit', values: [] };
export const ROLLBACK: Statement = { name: 'rollback', text: 'rollback', values: [] };

/** A lane's only connection to the database: opened when it is needed, dropped where it may still hold a lock. */
export class LaneConnection {
  #current: PipelinedConnection | undefined;

  constructor(private readonly open: () => Promise<PipelinedConnection>) {}

  /** @returns the same one as before, while that is usable */
  async get(): Promise<PipelinedConnection> {
    if (!this.#current?.usable) this.#current = await this.open();
    return this.#current;
  }

  /**
   * After an error the transaction is rolled back, or the connection is dropped: it never keeps a lock. A server that
   * takes no writes is left: the address may lead to another one by now.
   */
  async abandon(connection: PipelinedConnection, error: unknown): Promise<void> {
    if (!isConnectionFault(error) && !takesNoWrites(error)) {
      const rolledBack = await connection.run([ROLLBACK]).then(
        () => true,
        () => false,
      );
      if (rolledBack) return;
    }
    this.drop(connection);
  }

  drop(connection: PipelinedConnection): void {
    connection.destroy();
    if (this.#current === connection) this.#current = undefined;
  }

  async close(): Promise<void> {
    await this.#current?.close().catch(() => undefined);
  }
}

import { Injectable } from '@nestjs/common';
import { asRequestFault, Database, type Queryable } from '../../platform/database/index.js';
import { secretTableOf } from './secret-tables.js';

/** Reads secrets that commands stored: hashed or encrypted, as they were handed over. */
@Injectable()
export class StoredSecrets {
  constructor(private readonly database: Database) {}

  /** By id; one that is not there is absent. */
  find(partition: number, ids: readonly string[]): Promise<Map<string, Buffer>> {
    return this.#find(this.database, partition, ids);
  }

  /** The same for workers, which must not wait for requests. @throws DatabaseUnavailable for a transient fault */
  async findInBackground(partition: number, ids: readonly string[]): Promise<Map<string, Buffer>> {
    try {
      return await this.#find(this.database.inBackground, partition, ids);
    } catch (error) {
      throw asRequestFault(error);
    }
  }

  async #find(database: Queryable, partition: number, ids: readonly string[]): Promise<Map<string, Buffer>> {
    const table = secretTableOf(partition);
    const rows = await database.query<{ id: string; value: Buffer }>({
      name: `${table}-find`,
      text: `select id, value from ${table} where partition = $1 and id = any($2::uuid[])`,
      values: [partition, ids],
    });
    return new Map(rows.map(({ id, value }) => [id, value]));
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { secretTableOf } from './secret-tables.js';

/** Reads secrets that commands stored: hashed or encrypted, as they were handed over. */
@Injectable()
export class StoredSecrets {
  constructor(private readonly database: Database) {}

  /** By id; one that is not there is absent. */
  async find(partition: number, ids: readonly string[]): Promise<Map<string, Buffer>> {
    const table = secretTableOf(partition);
    const rows = await this.database.query<{ id: string; value: Buffer }>({
      name: `${table}-find`,
      text: `select id, value from ${table} where partition = $1 and id = any($2::uuid[])`,
      values: [partition, ids],
    });
    return new Map(rows.map(({ id, value }) => [id, value]));
  }
}

import { Injectable } from '@nestjs/common';
import { partitionOf } from '../event-store/index.js';
import { Database } from '../platform/database/index.js';
import { EntityNotFound } from '../platform/errors/index.js';
import type { PayoutFile } from './domain/payout-file.js';
import { payoutFileProjection, payoutFileTable } from './payout-file.projection.js';

/** How payouts of a file ended, by state. Amounts are centavos. */
export type Endings = ReadonlyMap<string, { readonly count: number; readonly amount: bigint }>;

/** Reads of files. */
@Injectable()
export class PayoutFileRows {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<PayoutFile | undefined> {
    const partition = partitionOf(id);
    const [row] = partition === undefined ? [] : await this.database.lookUp(payoutFileProjection.load(partition, [id]));
    return row && payoutFileTable.parse(row);
  }

  /** @throws EntityNotFound for none, and for another account's */
  async own(accountUid: string, id: string): Promise<PayoutFile> {
    const file = await this.find(id);
    if (file?.accountUid !== accountUid) throw new EntityNotFound('PayoutFileEntity', 'id', id);
    return file;
  }

  /** Files of an account that have not ended. */
  async running(partition: number, accountUid: string): Promise<number> {
    const [row] = await this.database.query<{ running: number }>({
      name: 'payout-files-running',
      text: `
        select count(*)::int as running from payout_file
        where partition = $1 and account_uid = $2 and ended_at is null`,
      values: [partition, accountUid],
    });
    return row!.running;
  }

  /** The newest first. */
  async list(of: 'account' | 'partner', uid: string, partition: number, before: string | null, limit: number) {
    const rows = await this.database.query({
      name: `payout-files-of-${of}`,
      text: `
        select ${payoutFileTable.columns} from payout_file
        where partition = $1 and ${of}_uid = $2 and id < coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid
        order by id desc limit $4`,
      values: [partition, uid, before, limit],
    });
    return rows.map(payoutFileTable.parse);
  }

  async endings(partition: number, files: readonly string[]): Promise<Map<string, Endings>> {
    const rows = await this.database.query<{ file_id: string; state: string; count: string; amount: string }>({
      name: 'payout-file-endings',
      text: `
        select file_id, state, count, amount from payout_file_ending
        where partition = $1 and file_id = any($2::uuid[])`,
      values: [partition, files],
    });
    return new Map(
      [...Map.groupBy(rows, ({ file_id: file }) => file)].map(([file, ended]) => [
        file,
        new Map(ended.map(({ state, count, amount }) => [state, { count: Number(count), amount: BigInt(amount) }])),
      ]),
    );
  }
}

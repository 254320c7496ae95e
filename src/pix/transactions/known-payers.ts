import { Injectable } from '@nestjs/common';
import { SubjectVault, taxpayer } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import type { LocatedTransaction } from './pix-transactions.js';

/** Who has paid deposits of an account before. */
@Injectable()
export class KnownPayers {
  constructor(
    private readonly database: Database,
    private readonly vault: SubjectVault,
  ) {}

  /**
   * Whether somebody with this tax number has paid a deposit of the account that was completed. A person who was
   * forgotten since is known to nobody any more.
   */
  async has({ partition, partnerUid, accountUid }: LocatedTransaction, taxNumber: string): Promise<boolean> {
    const subjects = await this.vault.withKeys(partition, [taxpayer(partnerUid, taxNumber)]);
    if (subjects.length === 0) return false;
    const rows = await this.database.query({
      name: 'payer-of-account',
      text: `
        select from transaction
        where partition = $1 and account_uid = $2 and payer = any($3::uuid[]) limit 1`,
      values: [partition, accountUid, subjects],
    });
    return rows.length > 0;
  }
}

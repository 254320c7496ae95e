import { Injectable } from '@nestjs/common';
import { taxpayer, TransactionRows } from '../../accounts/index.js';
import { SubjectVault } from '../../event-store/index.js';
import type { LocatedTransaction } from './pix-transactions.js';

/** Who has paid deposits of an account before. */
@Injectable()
export class KnownPayers {
  constructor(
    private readonly transactions: TransactionRows,
    private readonly vault: SubjectVault,
  ) {}

  /**
   * Whether somebody with this tax number has paid a deposit of the account that was completed. A person who was
   * forgotten since is known to nobody any more.
   */
  async has({ partition, partnerUid, accountUid }: LocatedTransaction, taxNumber: string): Promise<boolean> {
    const subjects = await this.vault.withKeys(partition, [taxpayer(partnerUid, taxNumber)]);
    if (subjects.length === 0) return false;
    return this.transactions.arePaidBy(partition, accountUid, subjects);
  }
}

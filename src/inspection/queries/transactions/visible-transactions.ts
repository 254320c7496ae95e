import { Injectable } from '@nestjs/common';
import { Registry, type Transaction, TransactionRows } from '../../../accounts/index.js';
import type { Viewer } from '../../../auth/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';

/** Transactions for back-office reads. One that the viewer may not see is not found. */
@Injectable()
export class VisibleTransactions {
  constructor(
    private readonly rows: TransactionRows,
    private readonly registry: Registry,
  ) {}

  /** @throws EntityNotFound */
  async get(viewer: Viewer, id: string): Promise<{ transaction: Transaction; partnerUid: string }> {
    const transaction = await this.rows.find(id);
    const partnerUid = transaction && (await this.registry.facts(transaction.accountUid)).partnerUid;
    if (!transaction || (viewer.partnerUid !== null && partnerUid !== viewer.partnerUid)) {
      throw new EntityNotFound('TransactionEntity', 'id', id);
    }
    return { transaction, partnerUid: partnerUid! };
  }
}

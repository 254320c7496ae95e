import { Injectable } from '@nestjs/common';
import { Registry, type Transaction, TransactionRows } from '../../../accounts/index.js';
import { maySee, type Viewer } from '../../../auth/index.js';
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
    const missing = new EntityNotFound('TransactionEntity', 'id', id);
    const transaction = await this.rows.find(id);
    if (!transaction) throw missing;
    const { partnerUid } = await this.registry.facts(transaction.accountUid);
    if (!maySee(viewer, partnerUid)) throw missing;
    return { transaction, partnerUid };
  }
}

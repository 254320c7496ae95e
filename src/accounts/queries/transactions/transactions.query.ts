import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { TransactionState, TransactionType } from '../../transactions/transaction.js';
import type { TransactionView } from './transaction-view.js';

/** One transaction of an account; a transfer is both accounts'. */
export class GetTransaction extends Query<TransactionView> {
  constructor(
    readonly accountUid: string,
    readonly id: string,
  ) {
    super();
  }
}

export interface TransactionFilters {
  readonly type?: TransactionType;
  readonly state?: TransactionState;
  readonly orderId?: string;
  readonly endToEndId?: string;
  /** Inclusive. */
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
}

/** Transactions of an account, newest first. */
export class ListTransactions extends Query<Page<TransactionView>> {
  constructor(
    readonly partnerUid: string,
    readonly accountUid: string,
    readonly filters: TransactionFilters,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

import { Injectable } from '@nestjs/common';
import { LoggedTransactions, type Transaction } from '../../../accounts/index.js';
import { EntityNotFound, Gone } from '../../../platform/errors/index.js';
import { type CashInDetails, detailsOf } from '../../domain/details.js';

/** A cash-in that can be paid at this moment. */
export interface PayableCashIn {
  readonly transaction: Transaction;
  readonly details: CashInDetails;
}

/**
 * Finds the cash-in of a code of ours, as its events make it. By a row, which somebody may have changed, its payer
 * would be shown a code that pays another, or be asked for another amount under our signature.
 */
@Injectable()
export class PayableCashIns {
  constructor(private readonly transactions: LoggedTransactions) {}

  /**
   * @param id the transaction; `undefined` where the address has none that could be ours
   * @param named the parameter of the address, for the error
   * @throws EntityNotFound; Gone when it was paid, has ended, or has expired (even before the timer has cancelled it)
   */
  async get(id: string | undefined, named: { parameter: string; value: string }, now: Date): Promise<PayableCashIn> {
    const transaction = id === undefined ? undefined : await this.transactions.findIfAny('cash-in', id);
    if (!transaction) throw new EntityNotFound('TransactionEntity', named.parameter, named.value);
    const details = detailsOf<CashInDetails>(transaction);
    if (transaction.state !== 'Registered' || new Date(details.expiresAt) <= now) {
      throw new Gone('This charge can no longer be paid.');
    }
    return { transaction, details };
  }
}

import { Injectable } from '@nestjs/common';
import {
  type Transaction,
  TransactionRows,
  type TransactionState,
  TransitionNotAllowed,
} from '../../../accounts/index.js';
import { EntityNotFound, ServiceUnavailable } from '../../../platform/errors/index.js';
import { assertCanBecome } from '../../domain/transitions.js';
import { txidOf } from '../../domain/values/txid.js';
import type { NotificationResult } from '../rail-notifications.js';
import { ExpectedPayers } from '../../transactions/expected-payers.js';
import { Charges } from './charges.js';
import { fittingPayer } from './fitting-payer.js';
import { PayerBank } from './payer-bank.js';
import { PaymentsOut } from './payments-out.js';
import { Refunds } from './refunds.js';
import { type Force, FORCED } from './script.js';
import { SandboxNotifier } from './notifier.js';

const TARGET = { complete: 'Completed', fail: 'Error', reverse: 'Reversed' } as const satisfies Record<
  Force,
  TransactionState
>;

/** How long an accepted payout may take to reach the rail. */
const ARRIVAL_MS = 3_000;
const POLL_MS = 20;

/** Forces the next state of a transaction at the rail, which then notifies the service as always. */
@Injectable()
export class Forcing {
  constructor(
    private readonly transactions: TransactionRows,
    private readonly payers: ExpectedPayers,
    private readonly charges: Charges,
    private readonly bank: PayerBank,
    private readonly paymentsOut: PaymentsOut,
    private readonly refunds: Refunds,
    private readonly notifier: SandboxNotifier,
  ) {}

  /**
   * @returns the transaction afterwards; its state is unchanged where the sandbox was told to drop its notifications
   * @throws EntityNotFound, TransitionNotAllowed
   */
  async force(id: string, force: Force): Promise<Transaction> {
    const before = await this.#get(id);
    assertCanBecome(before, TARGET[force]);
    const result = await this.#carryOut(before, force);
    const after = await this.#get(id);
    if (after.state !== TARGET[force] && (result !== 'NotNotified' || after.state !== before.state)) {
      throw new TransitionNotAllowed(after.state, TARGET[force]);
    }
    return after;
  }

  async #get(id: string): Promise<Transaction> {
    const transaction = await this.transactions.find(id);
    if (!transaction) throw new EntityNotFound('TransactionEntity', 'id', id);
    return transaction;
  }

  async #carryOut(transaction: Transaction, force: Force): Promise<NotificationResult | 'NotNotified'> {
    switch (transaction.type) {
      case 'CashOut':
        return this.#endPayment(transaction.endToEndId!, force);
      case 'Refund':
        return force === 'reverse' ? 'Ignored' : this.#endRefund(transaction.endToEndId!, force);
      case 'CashIn':
        return force === 'complete' ? this.#pay(transaction) : this.#endCharge(transaction.id, force);
      case 'Transfer':
        return 'Ignored';
    }
  }

  async #endPayment(endToEndId: string, force: Force): Promise<NotificationResult | 'NotNotified'> {
    await this.#arrival(endToEndId);
    const { moved, outcome } = await this.paymentsOut.end(endToEndId, FORCED[force], new Date());
    if (!moved) return 'Ignored';
    const result = await this.notifier.notify('PaymentOut', endToEndId, (inbox) =>
      inbox.cashOutChanged(endToEndId, outcome),
    );
    return result ?? 'NotNotified';
  }

  /** A payout is accepted before it is sent to the rail. */
  async #arrival(endToEndId: string): Promise<void> {
    const deadline = Date.now() + ARRIVAL_MS;
    while ((await this.paymentsOut.find(endToEndId)).status === 'Unknown') {
      if (Date.now() > deadline) throw new ServiceUnavailable('The payment has not reached the rail yet.');
      await new Promise((resume) => setTimeout(resume, POLL_MS));
    }
  }

  async #endRefund(returnId: string, force: 'complete' | 'fail'): Promise<NotificationResult | 'NotNotified'> {
    if (!(await this.refunds.end(returnId, force))) return 'Ignored';
    const outcome = await this.refunds.find(returnId);
    return (
      (await this.notifier.notify('RefundOut', returnId, (inbox) => inbox.refundChanged(returnId, outcome))) ??
      'NotNotified'
    );
  }

  /**
   * Notified at once, whatever the sandbox's behaviour: no query or sweep of the ledger would find it. A charge that
   * was paid stays so, though the ledger does not know it yet.
   */
  async #endCharge(id: string, force: 'fail' | 'reverse'): Promise<NotificationResult> {
    const { status, code } = FORCED[force];
    const txid = txidOf(id);
    if (!(await this.charges.end(txid, status, code))) return 'Ignored';
    return this.notifier.inbox.chargeChanged(txid, { status, code });
  }

  async #pay(transaction: Transaction): Promise<NotificationResult | 'NotNotified'> {
    const expected = await this.payers.of(transaction);
    const payer = fittingPayer(expected === 'forgotten' ? undefined : expected);
    const { disposition } = await this.bank.pay(txidOf(transaction.id), transaction.amount, payer);
    return disposition === null ? 'NotNotified' : disposition === 'Credited' ? 'Applied' : 'Ignored';
  }
}

import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EndCharge } from '../commands/end-charge/end-charge.command.js';
import { ReceivePayment } from '../commands/receive-payment/receive-payment.command.js';
import { ReceiveReturn } from '../commands/receive-return/receive-return.command.js';
import { SettleCashOut } from '../commands/settle-cash-out/settle-cash-out.command.js';
import { SettleRefund } from '../commands/settle-refund/settle-refund.command.js';
import { detailsOf, type RefundDetails } from '../domain/details.js';
import { uuidOfTxid } from '../domain/values/txid.js';
import type { PaymentOutcome, ReceivedPayment, RefundOutcome, ReturnedMoney } from '../rails/pix-rail.js';
import type { NotificationResult, PaymentDisposition, RailNotifications } from '../rails/rail-notifications.js';
import { PixTransactions } from '../transactions/pix-transactions.js';
import { TransactionTraces } from '../transactions/transaction-traces.js';

/** Receives notifications of the rail, and what the sweep finds: it issues a command for each. */
@Injectable()
export class RailInbox implements RailNotifications {
  constructor(
    private readonly commands: CommandBus,
    private readonly transactions: PixTransactions,
    private readonly traces: TransactionTraces,
  ) {}

  paymentReceived(payment: ReceivedPayment): Promise<PaymentDisposition> {
    const id = payment.txid === null ? undefined : uuidOfTxid(payment.txid);
    return this.traces.notification(id, () => this.commands.execute(new ReceivePayment(payment)));
  }

  async chargeChanged(
    txid: string,
    { status, code }: { readonly status: 'Rejected' | 'Returned'; readonly code: string },
  ): Promise<NotificationResult> {
    const cashIn = await this.transactions.byTxid(txid);
    if (!cashIn) return 'Unmatched';
    const state = status === 'Rejected' ? 'Error' : 'Reversed';
    return this.traces.notification(cashIn.transaction.id, () =>
      this.commands.execute(new EndCharge(cashIn, state, code)),
    );
  }

  async cashOutChanged(paymentId: string, outcome: PaymentOutcome): Promise<NotificationResult> {
    const cashOut = await this.transactions.byPaymentId(paymentId);
    if (!cashOut) return 'Unmatched';
    return this.traces.notification(cashOut.transaction.id, async () => {
      const isUnpaid = outcome.status === 'Rejected' || outcome.status === 'Returned';
      const payout = isUnpaid ? await this.transactions.unpaid('cash-out', cashOut, paymentId) : cashOut;
      return this.commands.execute(new SettleCashOut(payout, outcome));
    });
  }

  /**
   * The return of a payment that did not fit is no transaction: its worker queries the rail itself. So it does where
   * the rail lists a refund with another payment than it is of.
   */
  async refundChanged(returnId: string, outcome: RefundOutcome, endToEndId?: string): Promise<NotificationResult> {
    const refund = await this.transactions.byOwnIdentifier(returnId);
    if (refund?.transaction.type !== 'Refund') return 'Ignored';
    const { originalEndToEndId: refunded } = detailsOf<RefundDetails>(refund.transaction);
    if (endToEndId !== undefined && endToEndId !== refunded) return 'Ignored';
    return this.traces.notification(refund.transaction.id, async () => {
      const isUnpaid = outcome.status === 'Rejected';
      const own = isUnpaid ? await this.transactions.unpaid('refund', refund, returnId) : refund;
      return this.commands.execute(new SettleRefund(own, outcome));
    });
  }

  async moneyReturned(returned: ReturnedMoney): Promise<NotificationResult> {
    const cashOut = await this.transactions.byPaymentId(returned.paymentId ?? returned.endToEndId);
    return this.traces.notification(cashOut?.transaction.id, async () => {
      // Only a settled payment can be returned: the notification that it settled is late, or lost.
      if (cashOut?.transaction.state === 'Registered') {
        const { at, endToEndId } = returned;
        await this.commands.execute(new SettleCashOut(cashOut, { status: 'Settled', at, endToEndId }));
      }
      return this.commands.execute(new ReceiveReturn(returned, cashOut));
    });
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { endCharge } from '../domain/cash-in.decider.js';
import type { PaymentOutcome, ReceivedPayment, RefundOutcome, ReturnedMoney } from '../rails/pix-rail.js';
import type { NotificationResult, PaymentDisposition, RailNotifications } from '../rails/rail-notifications.js';
import { CashOutEndings } from './cash-out-endings.js';
import { IncomingPayments } from './incoming-payments.js';
import { IncomingReturns } from './incoming-returns.js';
import { RailCommands } from './rail-commands.js';
import { RailTransactions } from './rail-transactions.js';
import { RefundEndings } from './refund-endings.js';

/** Where the rail's news arrive, by notification or by the sweep: it finds whom they are about and passes them on. */
@Injectable()
export class RailInbox implements RailNotifications {
  constructor(
    private readonly transactions: RailTransactions,
    private readonly payments: IncomingPayments,
    private readonly returns: IncomingReturns,
    private readonly cashOuts: CashOutEndings,
    private readonly refunds: RefundEndings,
    private readonly commands: RailCommands,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  paymentReceived(payment: ReceivedPayment): Promise<PaymentDisposition> {
    return this.payments.receive(payment);
  }

  async chargeChanged(
    txid: string,
    { status, code }: { readonly status: 'Rejected' | 'Returned'; readonly code: string },
  ): Promise<NotificationResult> {
    const located = await this.transactions.byTxid(txid);
    if (!located) return 'Unmatched';
    const state = status === 'Rejected' ? 'Error' : 'Reversed';
    const { events } = await this.commands.on(located, {
      actor: `rail:${this.config.pixRail}`,
      decide: ({ transaction }) => endCharge(transaction, { state, reason: code }),
    });
    return events.length > 0 ? 'Applied' : 'Ignored';
  }

  async cashOutChanged(paymentId: string, outcome: PaymentOutcome): Promise<NotificationResult> {
    const located = await this.transactions.byPaymentId(paymentId);
    return located ? this.cashOuts.settle(located, outcome) : 'Unmatched';
  }

  /** A payment that did not fit and goes back is no transaction: its worker asks the rail itself. */
  async refundChanged(returnId: string, outcome: RefundOutcome): Promise<NotificationResult> {
    const located = await this.transactions.byOwnIdentifier(returnId);
    return located?.transaction.type === 'Refund' ? this.refunds.settle(located, outcome) : 'Ignored';
  }

  moneyReturned(returned: ReturnedMoney): Promise<NotificationResult> {
    return this.returns.receive(returned);
  }
}

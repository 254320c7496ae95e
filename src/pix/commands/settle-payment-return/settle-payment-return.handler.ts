import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Registry } from '../../../accounts/index.js';
import { Ledger, newId } from '../../../event-store/index.js';
import { PaymentReturnRefused, PaymentReturnSettled } from '../../domain/events/payment.events.js';
import { PixMetrics } from '../../pix-metrics.js';
import { PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { railActor } from '../../rails/rail-name.js';
import { PixTransactions } from '../../transactions/pix-transactions.js';
import { SettlePaymentReturn } from './settle-payment-return.command.js';

@CommandHandler(SettlePaymentReturn)
export class SettlePaymentReturnHandler implements ICommandHandler<SettlePaymentReturn> {
  readonly #logger = new Logger(SettlePaymentReturnHandler.name);

  constructor(
    private readonly ledger: Ledger,
    private readonly metrics: PixMetrics,
    private readonly transactions: PixTransactions,
    private readonly registry: Registry,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async execute({ partition, causation, payment, outcome }: SettlePaymentReturn): Promise<void> {
    const { returnId, endToEndId, amount, transactionId } = payment;
    const stream = `return-${returnId}`;
    const partner = await this.#partnerOf(transactionId);
    const data = { returnId, endToEndId, amount, transactionId, ...partner, settledAt: outcome.at.toISOString() };
    const { replayed } = await this.ledger.execute({
      partition,
      reads: {},
      decide: () => [
        outcome.status === 'Settled'
          ? PaymentReturnSettled.create(stream, 1, data)
          : PaymentReturnRefused.create(stream, 1, { ...data, code: outcome.code }),
      ],
      metadata: {
        actor: railActor(this.rail),
        causation,
        correlation: transactionId ?? newId(partition),
      },
      idempotency: { scope: 'payment-returned', key: causation, request: returnId },
    });
    if (outcome.status === 'Rejected' && !replayed) {
      this.metrics.returnRefused();
      this.#logger.error({ returnId, endToEndId, code: outcome.code }, 'the rail refused to return a payment');
    }
  }

  async #partnerOf(transactionId: string | null): Promise<{ partnerUid?: string }> {
    const located = transactionId === null ? undefined : await this.transactions.byId(transactionId);
    return located ? { partnerUid: (await this.registry.account(located.accountUid)).partnerUid } : {};
  }
}

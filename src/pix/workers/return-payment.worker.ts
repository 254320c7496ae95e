import { Inject, Injectable, Logger } from '@nestjs/common';
import { Registry } from '../../accounts/index.js';
import { Ledger, newId, type WorkItem, type WorkResult } from '../../event-store/index.js';
import { PaymentReturnRefused, PaymentReturnSettled } from '../domain/events/payment.events.js';
import { PixMetrics } from '../pix-metrics.js';
import { RailTransactions } from '../rail/rail-transactions.js';
import { PIX_RAIL, type PixRail, type RefundOutcome } from '../rails/pix-rail.js';
import { askAgain, type PaymentToReturn, type PixWorker } from './pix-work.js';
import { refundOrAsk } from './refund-or-ask.js';

/** Gives a payment back that did not fit, came late, came twice or belongs to nothing, and records that it arrived. */
@Injectable()
export class ReturnPaymentWorker implements PixWorker {
  readonly #logger = new Logger(ReturnPaymentWorker.name);

  constructor(
    private readonly ledger: Ledger,
    private readonly metrics: PixMetrics,
    private readonly transactions: RailTransactions,
    private readonly registry: Registry,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async perform({ partition, id, payload, attempts }: WorkItem): Promise<WorkResult> {
    const payment = payload as PaymentToReturn;
    const { returnId, endToEndId, amount } = payment;
    const instruction = { returnId, endToEndId, amount: BigInt(amount), code: 'BE08' as const };
    const outcome = await refundOrAsk(this.rail, instruction, attempts);
    if (outcome.status !== 'Settled' && outcome.status !== 'Rejected') return askAgain(attempts);
    await this.#record(partition, id, payment, outcome);
    return 'done';
  }

  async #record(
    partition: number,
    causation: string,
    { returnId, endToEndId, amount, transactionId }: PaymentToReturn,
    outcome: Extract<RefundOutcome, { status: 'Settled' | 'Rejected' }>,
  ): Promise<void> {
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
      metadata: { actor: `rail:${this.rail.name}`, causation, correlation: transactionId ?? newId(partition) },
      idempotency: { scope: 'payment-returned', key: causation, request: returnId },
    });
    if (outcome.status === 'Rejected' && !replayed) {
      this.metrics.returnRefused();
      this.#logger.error({ returnId, endToEndId, code: outcome.code }, 'the rail refused to give a payment back');
    }
  }

  async #partnerOf(transactionId: string | null): Promise<{ partnerUid?: string }> {
    const located = transactionId === null ? undefined : await this.transactions.byId(transactionId);
    return located ? { partnerUid: (await this.registry.account(located.accountUid)).partnerUid } : {};
  }
}

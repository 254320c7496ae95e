import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { endRefund, type RefundEnding } from '../../domain/refund.decider.js';
import { detailsOf, type RefundDetails } from '../../domain/details.js';
import { canBecome } from '../../domain/transitions.js';
import { PixIdentifiers } from '../../identifiers.js';
import { PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { railActor } from '../../rails/rail-name.js';
import type { NotificationResult } from '../../rails/rail-notifications.js';
import { appendTo } from '../../transactions/append-to.js';
import { SettleRefund } from './settle-refund.command.js';

/** Safe to repeat: an ended refund stays as it is. */
@CommandHandler(SettleRefund)
export class SettleRefundHandler implements ICommandHandler<SettleRefund> {
  readonly #logger = new Logger(SettleRefundHandler.name);

  constructor(
    private readonly ledger: Ledger,
    private readonly identifiers: PixIdentifiers,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async execute({ refund, outcome }: SettleRefund): Promise<NotificationResult> {
    if (outcome.status !== 'Settled' && outcome.status !== 'Rejected') return 'Ignored';
    const ending: RefundEnding =
      outcome.status === 'Settled'
        ? { state: 'Completed', settledAt: outcome.at, receiptToken: this.identifiers.receiptToken() }
        : { state: 'Error', reason: outcome.code };
    if (!canBecome(refund.transaction, ending.state)) {
      const { id, state } = refund.transaction;
      if (outcome.status === 'Settled' && state === 'Error') {
        this.#logger.error({ id }, 'the rail settled a refund that has failed here');
      }
      if (outcome.status === 'Rejected' && state === 'Completed') {
        this.#logger.error({ id }, 'the rail refused a refund that was made here');
      }
      return 'Ignored';
    }
    const { holdId } = detailsOf<RefundDetails>(refund.transaction);
    const { events } = await this.ledger.execute(
      appendTo(refund, {
        actor: railActor(this.rail),
        ...(holdId && { holds: { reads: [holdId] } }),
        decide: ({ transaction, holds, ...accounts }, at) =>
          endRefund(transaction, accounts, ending, holdId ? holds.get(holdId) : undefined, at),
      }),
    );
    return events.length > 0 ? 'Applied' : 'Ignored';
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { SettleRefund } from '../commands/settle-refund/settle-refund.command.js';
import { detailsOf, type RefundDetails } from '../domain/details.js';
import { PixTransactions } from '../transactions/pix-transactions.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { resultOfAttempt } from './attempt-result.js';
import type { PixWorker } from './pix-work.js';
import { refundOrQuery } from './refund-or-query.js';

/**
 * Sends a refund, of a partner or of the MED, as its events and those of its deposit say it, and queries the rail until
 * it has ended, always under the identifier that was stored before.
 */
@Injectable()
export class SendRefundWorker implements PixWorker {
  constructor(
    private readonly commands: CommandBus,
    private readonly transactions: PixTransactions,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async perform(item: WorkItem): Promise<WorkResult> {
    const { subject } = item;
    const located = await this.transactions.fromLog('refund', subject);
    if (located.transaction.state !== 'Registered') return 'done';
    const { endToEndId, amount, refundOf } = located.transaction;
    const { originalEndToEndId, sentOver, code = 'MD06' } = detailsOf<RefundDetails>(located.transaction);
    const { transaction: deposit } = await this.transactions.fromLog('cash-in', refundOf!);
    if (deposit.endToEndId !== originalEndToEndId) {
      throw new Error(`the refund ${subject} is of another payment than that of its deposit`);
    }
    const instruction = { returnId: endToEndId!, endToEndId: originalEndToEndId, amount, code };
    const outcome = await refundOrQuery(this.rail, instruction, sentOver, item);
    const recorded = await this.commands.execute(new SettleRefund(located, outcome));
    return resultOfAttempt(outcome, recorded, item.attempts);
  }
}

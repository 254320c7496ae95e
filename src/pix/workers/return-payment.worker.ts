import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EventLog, type WorkItem, type WorkResult } from '../../event-store/index.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { stillOpen } from './attempt-result.js';
import {
  type PaymentToReturn,
  SettlePaymentReturn,
} from '../commands/settle-payment-return/settle-payment-return.command.js';
import { paymentToReturn, returnedOver, streamOfReturned } from '../transactions/payment-to-return.js';
import type { PixWorker } from './pix-work.js';
import { refundOrQuery } from './refund-or-query.js';

/**
 * Returns a payment that did not fit, was late, was the second one or is unmatched, and records the outcome. Which one,
 * and how much, is taken from the event that the item is named after: once it is done the item is gone, and with it
 * whatever somebody wrote into it.
 */
@Injectable()
export class ReturnPaymentWorker implements PixWorker {
  constructor(
    private readonly commands: CommandBus,
    private readonly log: EventLog,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async perform(item: WorkItem): Promise<WorkResult> {
    const { partition, id, payload } = item;
    const event = await this.log.findInStream(partition, streamOfReturned(payload as PaymentToReturn), id);
    const payment = event && paymentToReturn(event);
    if (!payment) throw new Error(`the log has no payment to be returned for the work ${id}`);
    const { returnId, endToEndId, amount } = payment;
    const instruction = { returnId, endToEndId, amount: BigInt(amount), code: 'BE08' as const };
    const outcome = await refundOrQuery(this.rail, instruction, returnedOver(event), item);
    if (outcome.status !== 'Settled' && outcome.status !== 'Rejected') return stillOpen(outcome, item.attempts)!;
    await this.commands.execute(new SettlePaymentReturn(partition, id, payment, outcome));
    return 'done';
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { backoff } from '../rails/backoff.js';
import {
  type PaymentToReturn,
  SettlePaymentReturn,
} from '../commands/settle-payment-return/settle-payment-return.command.js';
import { type PixWorker } from './pix-work.js';
import { refundOrQuery } from './refund-or-query.js';

/** Returns a payment that did not fit, was late, was the second one or is unmatched, and records the outcome. */
@Injectable()
export class ReturnPaymentWorker implements PixWorker {
  constructor(
    private readonly commands: CommandBus,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async perform({ partition, id, payload, attempts }: WorkItem): Promise<WorkResult> {
    const payment = payload as PaymentToReturn;
    const { returnId, endToEndId, amount } = payment;
    const instruction = { returnId, endToEndId, amount: BigInt(amount), code: 'BE08' as const };
    const outcome = await refundOrQuery(this.rail, instruction, attempts);
    if (outcome.status !== 'Settled' && outcome.status !== 'Rejected') return backoff(attempts);
    await this.commands.execute(new SettlePaymentReturn(partition, id, payment, outcome));
    return 'done';
  }
}

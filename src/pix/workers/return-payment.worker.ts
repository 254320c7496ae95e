import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { askAgain } from '../rails/ask-again.js';
import {
  type PaymentToReturn,
  SettlePaymentReturn,
} from '../commands/settle-payment-return/settle-payment-return.command.js';
import { type PixWorker } from './pix-work.js';
import { refundOrAsk } from './refund-or-ask.js';

/** Gives a payment back that did not fit, came late, came twice or is unmatched, and records that it arrived. */
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
    const outcome = await refundOrAsk(this.rail, instruction, attempts);
    if (outcome.status !== 'Settled' && outcome.status !== 'Rejected') return askAgain(attempts);
    await this.commands.execute(new SettlePaymentReturn(partition, id, payment, outcome));
    return 'done';
  }
}

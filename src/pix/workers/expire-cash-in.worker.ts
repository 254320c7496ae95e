import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { ExpireCashIn } from '../commands/expire-cash-in/expire-cash-in.command.js';
import { ReceivePayment } from '../commands/receive-payment/receive-payment.command.js';
import { txidOf } from '../domain/values/txid.js';
import { PixTransactions } from '../transactions/pix-transactions.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import type { PixWorker } from './pix-work.js';

/**
 * Expires a cash-in. Its charge is closed at the rail first, which reports an earlier payment: one whose notification
 * was lost is still a deposit.
 */
@Injectable()
export class ExpireCashInWorker implements PixWorker {
  constructor(
    private readonly commands: CommandBus,
    private readonly transactions: PixTransactions,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async perform({ subject }: WorkItem): Promise<WorkResult> {
    const located = await this.transactions.byId(subject);
    if (located?.transaction.state !== 'Registered') return 'done';
    const closing = await this.rail.cancelCharge(txidOf(subject));
    await (closing.status === 'Paid'
      ? this.commands.execute(new ReceivePayment(closing.payment))
      : this.commands.execute(new ExpireCashIn(located)));
    return 'done';
  }
}

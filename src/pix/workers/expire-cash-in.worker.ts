import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { ExpireCashIn } from '../commands/expire-cash-in/expire-cash-in.command.js';
import { ReceivePayment } from '../commands/receive-payment/receive-payment.command.js';
import { type CashInDetails, detailsOf } from '../domain/details.js';
import { txidOf } from '../domain/values/txid.js';
import { PixTransactions } from '../transactions/pix-transactions.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import type { PixWorker } from './pix-work.js';

const RETRY_MS = 1_000;

/**
 * Expires a cash-in, when the log says so: its item of work may be due before, as somebody changed it, or as the
 * database's clock is ahead. Its charge is closed at the rail first, which reports an earlier payment: one whose
 * notification was lost is still a deposit.
 */
@Injectable()
export class ExpireCashInWorker implements PixWorker {
  constructor(
    private readonly commands: CommandBus,
    private readonly transactions: PixTransactions,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async perform({ subject }: WorkItem): Promise<WorkResult> {
    const located = await this.transactions.fromLog('cash-in', subject);
    if (located.transaction.state !== 'Registered') return 'done';
    const expiresAt = Date.parse(detailsOf<CashInDetails>(located.transaction).expiresAt);
    const now = Date.now();
    if (expiresAt > now) return { retryAt: new Date(Math.max(expiresAt, now + RETRY_MS)) };
    const closing = await this.rail.cancelCharge(txidOf(subject));
    if (closing.status === 'Paid') await this.commands.execute(new ReceivePayment(closing.payment));
    // What its payment has ended stays as it is; one that is another charge's has not.
    await this.commands.execute(new ExpireCashIn(located));
    // Its row may have said that it had ended: somebody may have changed that, and the events do not say so.
    const after = await this.transactions.fromLog('cash-in', subject);
    return after.transaction.state === 'Registered' ? { retryAt: new Date(Date.now() + RETRY_MS) } : 'done';
  }
}

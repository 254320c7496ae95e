import { Inject, Injectable } from '@nestjs/common';
import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { expireCashIn } from '../domain/cash-in.decider.js';
import { txidOf } from '../domain/values/txid.js';
import { IncomingPayments } from '../rail/incoming-payments.js';
import { RailCommands } from '../rail/rail-commands.js';
import { RailTransactions } from '../rail/rail-transactions.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import type { PixWorker } from './pix-work.js';

/**
 * Ends a cash-in whose time is over. Its charge is closed at the rail first, which tells of a payment that came before:
 * one whose news was lost is still a deposit.
 */
@Injectable()
export class ExpireCashInWorker implements PixWorker {
  constructor(
    private readonly transactions: RailTransactions,
    private readonly commands: RailCommands,
    private readonly payments: IncomingPayments,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async perform({ subject }: WorkItem): Promise<WorkResult> {
    const located = await this.transactions.byId(subject);
    if (located?.transaction.state !== 'Registered') return 'done';
    const closing = await this.rail.cancelCharge(txidOf(subject));
    if (closing.status === 'Paid') await this.payments.receive(closing.payment);
    else await this.commands.on(located, { actor: 'timer', decide: ({ transaction }) => expireCashIn(transaction) });
    return 'done';
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { ResolveKey } from '../commands/resolve-key/resolve-key.command.js';
import { type CashOutDetails, detailsOf } from '../domain/details.js';
import { keyMisfitOf } from '../domain/key-fit.js';
import { PixTransactions } from '../transactions/pix-transactions.js';
import { Payees } from '../transactions/payees.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import type { PixWorker } from './pix-work.js';

/**
 * Looks up the owner of a cash-out's key, which its event names, in DICT. The answer decides whether the payment is
 * sent at all, so it is recorded as an event first: after that only the rail ends the payment.
 */
@Injectable()
export class ResolveKeyWorker implements PixWorker {
  constructor(
    private readonly commands: CommandBus,
    private readonly transactions: PixTransactions,
    private readonly payees: Payees,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async perform({ subject }: WorkItem): Promise<WorkResult> {
    const located = await this.transactions.fromLog('cash-out', subject);
    if (located.transaction.state !== 'Registered') return 'done';
    if (detailsOf<CashOutDetails>(located.transaction).payee) return 'done';
    const { recipient } = await this.payees.of(located);
    if (!recipient?.key) {
      await this.commands.execute(new ResolveKey(located, { misfit: 'RecipientForgotten' }));
      return 'done';
    }
    const lookup = await this.rail.lookUpKey(recipient.key);
    const misfit = keyMisfitOf(recipient, lookup);
    if (misfit) await this.commands.execute(new ResolveKey(located, { misfit }));
    else if (lookup.found) await this.commands.execute(new ResolveKey(located, { owner: lookup.owner }));
    return 'done';
  }
}

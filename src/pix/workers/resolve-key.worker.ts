import { Inject, Injectable } from '@nestjs/common';
import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { type CashOutDetails, detailsOf } from '../domain/details.js';
import { keyMisfitOf } from '../domain/key-fit.js';
import { CashOutEndings } from '../rail/cash-out-endings.js';
import { RailTransactions } from '../rail/rail-transactions.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import type { PixWorker } from './pix-work.js';

/**
 * Asks DICT whose a cash-out's key is. What it answers decides whether the rail is asked to pay at all, so it is kept
 * as an event first: after that only the rail says how the payment ends.
 */
@Injectable()
export class ResolveKeyWorker implements PixWorker {
  constructor(
    private readonly transactions: RailTransactions,
    private readonly endings: CashOutEndings,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async perform({ subject }: WorkItem): Promise<WorkResult> {
    const located = await this.transactions.byId(subject);
    if (located?.transaction.state !== 'Registered') return 'done';
    if (detailsOf<CashOutDetails>(located.transaction).payee) return 'done';
    const { recipient } = await this.endings.payee(located);
    if (!recipient?.key) {
      await this.endings.failKeyLookUp(located, 'RecipientForgotten');
      return 'done';
    }
    const lookup = await this.rail.lookUpKey(recipient.key);
    const misfit = keyMisfitOf(recipient, lookup);
    if (misfit) await this.endings.failKeyLookUp(located, misfit);
    else if (lookup.found) await this.endings.resolved(located, lookup.owner);
    return 'done';
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { endRefund, type RefundEnding } from '../domain/refund.decider.js';
import { canBecome } from '../domain/transitions.js';
import { PixIdentifiers } from '../identifiers.js';
import type { RefundOutcome } from '../rails/pix-rail.js';
import type { NotificationResult } from '../rails/rail-notifications.js';
import { RailCommands } from './rail-commands.js';
import type { LocatedTransaction } from './rail-transactions.js';

/** Brings what the rail tells of a refund into the ledger. Safe to repeat: an ended one stays as it is. */
@Injectable()
export class RefundEndings {
  constructor(
    private readonly commands: RailCommands,
    private readonly identifiers: PixIdentifiers,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async settle(located: LocatedTransaction, outcome: RefundOutcome): Promise<NotificationResult> {
    if (outcome.status !== 'Settled' && outcome.status !== 'Rejected') return 'Ignored';
    const ending: RefundEnding =
      outcome.status === 'Settled'
        ? { state: 'Completed', settledAt: outcome.at, receiptToken: this.identifiers.receiptToken() }
        : { state: 'Error', reason: outcome.code };
    if (!canBecome(located.transaction, ending.state)) return 'Ignored';
    const { events } = await this.commands.on(located, {
      actor: `rail:${this.config.pixRail}`,
      decide: ({ transaction, ...accounts }) => endRefund(transaction, accounts, ending),
    });
    return events.length > 0 ? 'Applied' : 'Ignored';
  }
}

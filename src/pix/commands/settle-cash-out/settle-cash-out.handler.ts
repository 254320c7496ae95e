import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Transaction } from '../../../accounts/index.js';
import { Ledger } from '../../../event-store/index.js';
import {
  type CashOutEnding,
  endCashOut,
  nameCashOut,
  noteExtras,
  type PayoutExtras,
} from '../../domain/cash-out.decider.js';
import { type CashOutDetails, detailsOf } from '../../domain/details.js';
import { canBecome } from '../../domain/transitions.js';
import { PixIdentifiers } from '../../identifiers.js';
import { type PaymentOutcome, PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { railActor } from '../../rails/rail-name.js';
import type { NotificationResult } from '../../rails/rail-notifications.js';
import { appendTo } from '../../transactions/append-to.js';
import { Payees } from '../../transactions/payees.js';
import { type LocatedTransaction, PixTransactions } from '../../transactions/pix-transactions.js';
import { SettleCashOut } from './settle-cash-out.command.js';

/** `Pending` and `Unknown` at most record the EndToEndId that the rail made. An ended cash-out stays as it is. */
@CommandHandler(SettleCashOut)
export class SettleCashOutHandler implements ICommandHandler<SettleCashOut> {
  readonly #logger = new Logger(SettleCashOutHandler.name);

  constructor(
    private readonly ledger: Ledger,
    private readonly identifiers: PixIdentifiers,
    private readonly payees: Payees,
    private readonly transactions: PixTransactions,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async execute({ cashOut, outcome }: SettleCashOut): Promise<NotificationResult> {
    if (outcome.endToEndId !== undefined) await this.#name(cashOut, outcome.endToEndId);
    const ending = await this.#endingOf(cashOut, outcome);
    const ended = ending ? await this.#end(cashOut, ending, outcome.endToEndId) : 'Ignored';
    const noted = outcome.extras ? await this.#note(cashOut, outcome.extras) : 'Ignored';
    return ended === 'Ignored' ? noted : ended;
  }

  async #endingOf(cashOut: LocatedTransaction, outcome: PaymentOutcome): Promise<CashOutEnding | undefined> {
    switch (outcome.status) {
      case 'Pending':
      case 'Unknown':
        return undefined;
      case 'Rejected':
        this.#rejectedAs(cashOut.transaction);
        return { state: 'Error', reason: outcome.extras?.reason ?? outcome.code };
      case 'Returned':
        return { state: 'Reversed', reason: outcome.code };
      case 'Settled': {
        if (!canBecome(cashOut.transaction, 'Completed')) {
          this.#settledAs(cashOut.transaction, outcome.endToEndId);
          return undefined;
        }
        const payee = await this.payees.with(cashOut, outcome.payee ?? {});
        const receiptToken = this.identifiers.receiptToken();
        return { state: 'Completed', payee, settledAt: outcome.at, receiptToken };
      }
    }
  }

  async #end(
    cashOut: LocatedTransaction,
    ending: CashOutEnding,
    endToEndId: string | undefined,
  ): Promise<NotificationResult> {
    if (!canBecome(cashOut.transaction, ending.state)) return 'Ignored';
    const { events } = await this.ledger.execute(
      appendTo(cashOut, {
        actor: railActor(this.rail),
        subjects: ending.state === 'Completed' ? [ending.payee.subject] : [],
        decide: ({ transaction, ...accounts }) => endCashOut(transaction, accounts, ending),
      }),
    );
    if (events.length > 0) return 'Applied';
    // Another process has ended it since it was read.
    const now = await this.transactions.byId(cashOut.transaction.id);
    if (now && ending.state === 'Completed') this.#settledAs(now.transaction, endToEndId);
    return 'Ignored';
  }

  #settledAs({ id, state }: Transaction, endToEndId: string | undefined): void {
    if (state === 'Error') this.#logger.error({ id, endToEndId }, 'the rail settled a payout that has failed here');
  }

  #rejectedAs({ id, state, endToEndId }: Transaction): void {
    if (state === 'Completed') this.#logger.error({ id, endToEndId }, 'the rail refused a payout that was paid here');
  }

  async #note(cashOut: LocatedTransaction, extras: PayoutExtras): Promise<NotificationResult> {
    const { events } = await this.ledger.execute(
      appendTo(cashOut, { actor: railActor(this.rail), decide: ({ transaction }) => noteExtras(transaction, extras) }),
    );
    return events.length > 0 ? 'Applied' : 'Ignored';
  }

  /** An event of its own, before the end: notifications of the end, and of returned money, refer to it. */
  async #name(cashOut: LocatedTransaction, endToEndId: string): Promise<void> {
    const { transaction } = cashOut;
    if (!detailsOf<CashOutDetails>(transaction).sentAs || transaction.endToEndId === endToEndId) return;
    if (transaction.endToEndId !== null) {
      const { id, endToEndId: first } = transaction;
      this.#logger.error({ id, first, endToEndId }, 'the rail gave a payout a second EndToEndId; the first one stays');
      return;
    }
    await this.ledger.execute(
      appendTo(cashOut, {
        actor: railActor(this.rail),
        decide: ({ transaction: now }) => nameCashOut(now, endToEndId),
      }),
    );
  }
}

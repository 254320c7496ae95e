import { Inject, Injectable, Logger } from '@nestjs/common';
import { personal, SubjectVault, taxpayer, transactionParty } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import {
  type CashOutEnding,
  endCashOut,
  failKeyLookUp,
  nameCashOut,
  noteTold,
  resolveKey,
  type ToldOfPayment,
} from '../domain/cash-out.decider.js';
import { type CashOutDetails, detailsOf } from '../domain/details.js';
import type { Party, Recipient } from '../domain/events/shared.js';
import { canBecome } from '../domain/transitions.js';
import { PixIdentifiers } from '../identifiers.js';
import type { PaymentOutcome } from '../rails/pix-rail.js';
import type { NotificationResult } from '../rails/rail-notifications.js';
import { RailCommands } from './rail-commands.js';
import type { LocatedTransaction } from './rail-transactions.js';

/** What is known in clear of whom a cash-out pays. */
export interface KnownPayee {
  /** `null`: the data were forgotten. */
  readonly recipient: Recipient | null;
  /** What the request said, and over it what DICT said. */
  readonly party: Party;
}

/** Brings what is learnt of a cash-out into the ledger. Safe to repeat: an ended one stays as it is. */
@Injectable()
export class CashOutEndings {
  readonly #logger = new Logger(CashOutEndings.name);

  constructor(
    private readonly commands: RailCommands,
    private readonly identifiers: PixIdentifiers,
    private readonly vault: SubjectVault,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async payee({ transaction, partition }: LocatedTransaction): Promise<KnownPayee> {
    const details = detailsOf<CashOutDetails>(transaction);
    const recipient = await this.vault.open(partition, details.recipient);
    const resolved = details.payee && (await this.vault.open(partition, details.payee));
    const { name, taxNumber, account } = recipient ?? {};
    return { recipient, party: joined({ name, taxNumber, ...account }, resolved ?? {}) };
  }

  /** DICT named the owner of the key. */
  async resolved(located: LocatedTransaction, owner: Party): Promise<void> {
    const { party } = await this.payee(located);
    const payee = this.#personal(located, joined(party, owner));
    await this.commands.on(located, {
      actor: this.#rail,
      subjects: [payee.subject],
      decide: ({ transaction }) => resolveKey(transaction, payee),
    });
  }

  /** Its key cannot be paid. Changes nothing where another look-up, meanwhile, named the owner: it may have been sent. */
  async failKeyLookUp(located: LocatedTransaction, reason: string): Promise<void> {
    await this.commands.on(located, {
      actor: this.#rail,
      decide: ({ transaction, ...accounts }) => failKeyLookUp(transaction, accounts, reason),
    });
  }

  /** We found out that it cannot be sent. Only while the rail does not know of it. */
  async fail(located: LocatedTransaction, reason: string): Promise<void> {
    await this.#end(located, { state: 'Error', reason });
  }

  /** The rail told how it stands. `Pending` and `Unknown` change nothing but the name that the rail gave it. */
  async settle(located: LocatedTransaction, outcome: PaymentOutcome): Promise<NotificationResult> {
    if (outcome.endToEndId !== undefined) await this.#name(located, outcome.endToEndId);
    const ended = await this.#settle(located, outcome);
    const noted = outcome.told ? await this.#note(located, outcome.told) : 'Ignored';
    return ended === 'Ignored' ? noted : ended;
  }

  async #settle(located: LocatedTransaction, outcome: PaymentOutcome): Promise<NotificationResult> {
    switch (outcome.status) {
      case 'Pending':
      case 'Unknown':
        return 'Ignored';
      case 'Rejected':
        return this.#end(located, { state: 'Error', reason: outcome.told?.reason ?? outcome.code });
      case 'Returned':
        return this.#end(located, { state: 'Reversed', reason: outcome.code });
      case 'Settled': {
        if (!canBecome(located.transaction, 'Completed')) return 'Ignored';
        const { party } = await this.payee(located);
        const payee = this.#personal(located, joined(party, outcome.payee ?? {}));
        const receiptToken = this.identifiers.receiptToken();
        return this.#end(located, { state: 'Completed', payee, settledAt: outcome.at, receiptToken });
      }
    }
  }

  async #note(located: LocatedTransaction, told: ToldOfPayment): Promise<NotificationResult> {
    const { events } = await this.commands.on(located, {
      actor: this.#rail,
      decide: ({ transaction }) => noteTold(transaction, told),
    });
    return events.length > 0 ? 'Applied' : 'Ignored';
  }

  /** An event of its own, and before the end: what tells of the end, and of money that comes back, names it. */
  async #name(located: LocatedTransaction, endToEndId: string): Promise<void> {
    const { transaction } = located;
    if (!detailsOf<CashOutDetails>(transaction).sentAs || transaction.endToEndId === endToEndId) return;
    if (transaction.endToEndId !== null) {
      const { id, endToEndId: first } = transaction;
      this.#logger.error({ id, first, endToEndId }, 'the rail gave a payout a second EndToEndId; the first one stays');
      return;
    }
    await this.commands.on(located, {
      actor: this.#rail,
      decide: ({ transaction: now }) => nameCashOut(now, endToEndId),
    });
  }

  async #end(located: LocatedTransaction, ending: CashOutEnding): Promise<NotificationResult> {
    if (!canBecome(located.transaction, ending.state)) return 'Ignored';
    const { events } = await this.commands.on(located, {
      actor: this.#rail,
      subjects: ending.state === 'Completed' ? [ending.payee.subject] : [],
      decide: ({ transaction, ...accounts }) => endCashOut(transaction, accounts, ending),
    });
    return events.length > 0 ? 'Applied' : 'Ignored';
  }

  #personal({ transaction, partnerUid }: LocatedTransaction, party: Party) {
    const subject = party.taxNumber ? taxpayer(partnerUid, party.taxNumber) : transactionParty(transaction.id);
    return personal(subject, party);
  }

  get #rail(): string {
    return `rail:${this.config.pixRail}`;
  }
}

/** Later knowledge over earlier; what a later source does not tell stays. */
function joined(earlier: Party, later: Party): Party {
  const told = Object.entries(later).filter(([, value]) => value !== undefined && value !== '');
  return { ...earlier, ...Object.fromEntries(told) };
}

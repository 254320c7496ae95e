import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Registry, type Transaction } from '../../accounts/index.js';
import { SubjectVault, type WorkItem, type WorkResult } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { SettleCashOut } from '../commands/settle-cash-out/settle-cash-out.command.js';
import { type CashOutDetails, detailsOf } from '../domain/details.js';
import { type LocatedTransaction, PixTransactions } from '../transactions/pix-transactions.js';
import { Payees } from '../transactions/payees.js';
import {
  type PaymentInstruction,
  type PaymentOutcome,
  PIX_RAIL,
  type PixRail,
  RailUnavailable,
} from '../rails/pix-rail.js';
import { askAgain } from '../rails/ask-again.js';
import { type PixWorker } from './pix-work.js';

/**
 * Hands a cash-out to the rail and asks until it has ended. The EndToEndId was stored before, so every repetition is
 * the same instruction: after a crash or a timeout the rail is asked first, and gets it again only if it knows
 * nothing of it. No number of failures ends a payment; only the rail does, be it by never having seen one whose
 * recipient was forgotten, so that it can never be sent.
 */
@Injectable()
export class SendPaymentWorker implements PixWorker {
  constructor(
    private readonly commands: CommandBus,
    private readonly transactions: PixTransactions,
    private readonly payees: Payees,
    private readonly registry: Registry,
    private readonly vault: SubjectVault,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async perform({ subject, attempts }: WorkItem): Promise<WorkResult> {
    const located = await this.transactions.byId(subject);
    if (located?.transaction.state !== 'Registered') return 'done';
    const outcome = await this.#ask(located, attempts);
    await this.commands.execute(new SettleCashOut(located, outcome));
    return outcome.status === 'Pending' || outcome.status === 'Unknown' ? askAgain(attempts) : 'done';
  }

  async #ask(located: LocatedTransaction, attempts: number): Promise<PaymentOutcome> {
    const instruction = await this.#instruction(located);
    // Begun for the first time ever: the rail cannot know of it.
    if (instruction && attempts === 1) return this.rail.send(instruction);
    const known = await this.rail.query(this.#paymentId(located.transaction));
    if (known.status !== 'Unknown') return known;
    if (instruction) return this.rail.send(instruction);
    return { status: 'Rejected', at: new Date(), code: 'RecipientForgotten' };
  }

  /** @throws RailUnavailable for what another rail was to pay: this one cannot say what became of it */
  #paymentId(transaction: Transaction): string {
    const { sentAs } = detailsOf<CashOutDetails>(transaction);
    const isOurs = this.rail.capabilities.namesPayments ? sentAs?.rail === this.rail.name : !sentAs;
    if (!isOurs) throw new RailUnavailable(`${transaction.id} was accepted for another rail, which alone can end it`);
    return sentAs?.paymentId ?? transaction.endToEndId!;
  }

  async #instruction(located: LocatedTransaction): Promise<PaymentInstruction | undefined> {
    const { transaction, partition, accountUid } = located;
    const { recipient, party } = await this.payees.of(located);
    if (!recipient) return undefined;
    const account = await this.registry.account(accountUid);
    const { name, taxNumber, branch, number, digit } = await this.registry.holderOf(account);
    const { orderDescription, keyChecked, qrCode: code } = detailsOf<CashOutDetails>(transaction);
    const description = orderDescription && (await this.vault.open(partition, orderDescription));
    const qrCode = code && (await this.vault.open(partition, code));
    return {
      paymentId: this.#paymentId(transaction),
      amount: transaction.amount,
      ...(qrCode && { qrCode }),
      ...(recipient.key && keyChecked !== false && { key: recipient.key }),
      payee: party,
      payer: { name, taxNumber, ispb: this.config.institution.ispb, branch, number, digit, type: account.type },
      ...(description && { description }),
    };
  }
}

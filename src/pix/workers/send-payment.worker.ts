import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Registry, type Transaction } from '../../accounts/index.js';
import { type Attempt, SubjectVault, type WorkItem, type WorkResult } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { ReceiveReturn } from '../commands/receive-return/receive-return.command.js';
import { SettleCashOut } from '../commands/settle-cash-out/settle-cash-out.command.js';
import { type CashOutDetails, detailsOf } from '../domain/details.js';
import { type LocatedTransaction, PixTransactions } from '../transactions/pix-transactions.js';
import { Payees } from '../transactions/payees.js';
import { type PaymentInstruction, type PaymentOutcome, PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { isSentOver } from '../rails/rail-name.js';
import { OfAnotherRail } from '../rails/rail-errors.js';
import { resultOfAttempt } from './attempt-result.js';
import { unsureRefusals } from '../rails/unsure-refusal.js';
import type { PixWorker } from './pix-work.js';

/**
 * Sends a cash-out and queries the rail until it has ended. The EndToEndId was stored before, so every attempt sends
 * the same instruction: after a crash or a timeout the rail is queried first, and gets it again only if it does not
 * know it. What it sends is what the events of the payment say, whatever its row says. No number of failures ends a
 * payment, only the rail does. The exception: a payment that the rail does not know, and whose recipient was forgotten,
 * can never be sent and fails.
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

  async perform(item: WorkItem): Promise<WorkResult> {
    const located = await this.transactions.fromLog('cash-out', item.subject);
    if (located.transaction.state !== 'Registered') return 'done';
    const outcome = await this.#sendOrQuery(located, item);
    const recorded = await this.commands.execute(new SettleCashOut(located, outcome));
    const returned = outcome.status === 'Settled' ? outcome.returned : undefined;
    for (const one of returned ?? []) await this.commands.execute(new ReceiveReturn(one, located));
    return resultOfAttempt(outcome, recorded, item.attempts);
  }

  async #sendOrQuery(located: LocatedTransaction, attempt: Attempt): Promise<PaymentOutcome> {
    const instruction = await this.#instruction(located);
    // The first attempt: the rail cannot know the payment.
    if (instruction && attempt.attempts === 1) return this.#send(instruction, attempt);
    const known = await this.rail.query(this.#paymentId(located.transaction));
    if (known.status !== 'Unknown') return known;
    if (instruction) return this.#send(instruction, attempt);
    // An earlier attempt may have sent it, and the look-up may lag.
    const refusals = unsureRefusals(attempt, this.rail.capabilities.lookUpLagMs ?? 0);
    if (refusals) return { status: 'Pending', refusals };
    return { status: 'Rejected', at: new Date(), code: 'RecipientForgotten' };
  }

  /** Not from an attempt whose lease may be over: another one may have ended the payment since its state was read. */
  async #send(instruction: PaymentInstruction, attempt: Attempt): Promise<PaymentOutcome> {
    return attempt.lease.isCertain ? this.rail.send(instruction, attempt) : { status: 'Pending' };
  }

  /** @throws OfAnotherRail: this one does not know its outcome */
  #paymentId(transaction: Transaction): string {
    const { sentAs } = detailsOf<CashOutDetails>(transaction);
    const isOurs = this.rail.capabilities.namesPayments ? sentAs && isSentOver(this.rail, sentAs) : !sentAs;
    if (!isOurs) throw new OfAnotherRail(transaction.id);
    return sentAs?.paymentId ?? transaction.endToEndId!;
  }

  async #instruction(located: LocatedTransaction): Promise<PaymentInstruction | undefined> {
    const { transaction, partition, accountUid } = located;
    const { recipient, party } = await this.payees.of(located);
    if (!recipient) return undefined;
    const { type, holder } = await this.registry.facts(accountUid);
    const { name, taxNumber, branch, number, digit } = holder;
    const { orderDescription, keyChecked, qrCode: code } = detailsOf<CashOutDetails>(transaction);
    const description = orderDescription && (await this.vault.open(partition, orderDescription));
    const qrCode = code && (await this.vault.open(partition, code));
    return {
      paymentId: this.#paymentId(transaction),
      amount: transaction.amount,
      ...(qrCode && { qrCode }),
      ...(recipient.key && keyChecked !== false && { key: recipient.key }),
      payee: party,
      payer: { name, taxNumber, ispb: this.config.institution.ispb, branch, number, digit, type },
      ...(description && { description }),
    };
  }
}

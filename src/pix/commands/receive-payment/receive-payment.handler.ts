import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { partySubject, transactionParty } from '../../../accounts/index.js';
import {
  createdAt,
  Ledger,
  newId,
  type Outcome,
  personal,
  type Personal,
  type SubjectRef,
} from '../../../event-store/index.js';
import { factsOf, noteCashInExtras, receivePayment } from '../../domain/cash-in.decider.js';
import { detailsOf, type CashInDetails } from '../../domain/details.js';
import { ChargeNotYetKnown, PaymentNotYetKnown } from '../../domain/errors.js';
import { CashInCompleted } from '../../domain/events/cash-in.events.js';
import { UnmatchedPaymentReceived } from '../../domain/events/payment.events.js';
import type { Party } from '../../domain/events/shared.js';
import { type ArrivedPayment, misfitOf } from '../../domain/payment-fit.js';
import { txidOf, uuidOfTxid } from '../../domain/values/txid.js';
import { PixIdentifiers } from '../../identifiers.js';
import { PixMetrics } from '../../pix-metrics.js';
import { type PaymentInExtras, PIX_RAIL, type PixRail, type ReceivedPayment } from '../../rails/pix-rail.js';
import { railActor } from '../../rails/rail-name.js';
import { RailUnavailable } from '../../rails/rail-errors.js';
import type { PaymentDisposition } from '../../rails/rail-notifications.js';
import { appendTo } from '../../transactions/append-to.js';
import { Cautions } from '../../transactions/cautions.js';
import { type Expected, ExpectedPayers } from '../../transactions/expected-payers.js';
import { type LocatedTransaction, PixTransactions } from '../../transactions/pix-transactions.js';
import { ReceivePayment } from './receive-payment.command.js';

/**
 * How long a cash-in may take from its txid to its event: the rail's answer and a lane's deadline, with a margin. Until
 * then a payment for it is not returned: it waits for the next notification or sweep.
 */
const REGISTRATION_MS = 60_000;

/** Each payment once: its EndToEndId is the idempotency key, as notification and sweep may both report it. */
@CommandHandler(ReceivePayment)
export class ReceivePaymentHandler implements ICommandHandler<ReceivePayment> {
  readonly #logger = new Logger(ReceivePaymentHandler.name);

  constructor(
    private readonly ledger: Ledger,
    private readonly transactions: PixTransactions,
    private readonly identifiers: PixIdentifiers,
    private readonly payers: ExpectedPayers,
    private readonly cautions: Cautions,
    private readonly metrics: PixMetrics,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async execute({ payment }: ReceivePayment): Promise<PaymentDisposition> {
    const located = await this.transactions.byTxid(payment.txid);
    return located ? this.#forCashIn(located, payment) : this.#unmatched(payment);
  }

  /** @param isAsked the rail has said already which payment came first: another charge's leaves the cash-in as it is */
  async #forCashIn(
    located: LocatedTransaction,
    payment: ReceivedPayment,
    isAsked = false,
  ): Promise<PaymentDisposition> {
    const { partition, partnerUid, transaction } = located;
    const expectedPayer = await this.payers.of(transaction);
    const paid = await this.#identified(located, payment, expectedPayer);
    const first = isAsked ? undefined : await this.#paidBefore(located, paid, expectedPayer);
    if (first) {
      await this.#forCashIn(located, first, true);
      return this.#forCashIn((await this.transactions.byId(transaction.id))!, payment, true);
    }
    const { taxNumber } = paid.payer;
    const caution = await this.cautions.of(located, paid);
    const subject = partySubject(partnerUid, taxNumber, transaction.id);
    const incoming = {
      ...paid,
      sealedPayer: sealed(subject, paid.payer),
      ...this.identifiers.returnOfMisfit(partition, payment.endToEndId),
      receiptToken: this.identifiers.receiptToken(),
      caution,
    };
    const { events } = await this.ledger.execute(
      appendTo(located, {
        actor: railActor(this.rail),
        subjects: [subject],
        idempotency: onceFor(payment),
        holds: caution && { creates: [caution.holdId] },
        decide: (state, at) => receivePayment({ ...state, expectedPayer }, incoming, at),
      }),
    );
    if (!events.some(({ stream }) => stream === `cash-in-${transaction.id}`)) {
      const { endToEndId, txid } = payment;
      this.#logger.error({ endToEndId, txid }, 'the rail gives a payment a second charge; the first one has it');
    }
    if (payment.extras) await this.#note(located, payment, payment.extras);
    return events.some((event) => CashInCompleted.is(event)) ? 'Credited' : 'Returned';
  }

  /** Some rails do not say who paid, but can search payments by the payer. */
  async #identified({ transaction }: LocatedTransaction, payment: ReceivedPayment, expected: Expected) {
    const { extras: _recordedApart, ...paid } = payment;
    const taxNumber = expected === 'forgotten' ? undefined : expected?.taxNumber;
    const isAsked = taxNumber !== undefined && !payment.payer.taxNumber && transaction.state === 'Registered';
    if (!isAsked || !this.rail.isPaidBy) return paid;
    return (await asked(this.rail.isPaidBy(payment, taxNumber)))
      ? { ...paid, payer: { ...payment.payer, taxNumber } }
      : { ...paid, isAnothers: true as const };
  }

  /**
   * Before a payment ends its cash-in without a credit the rail is asked for one before it, as when a charge expires:
   * that one's notification may be late, or lost.
   */
  async #paidBefore(
    { transaction }: LocatedTransaction,
    payment: ArrivedPayment & Pick<ReceivedPayment, 'endToEndId' | 'at'>,
    payer: Expected,
  ): Promise<ReceivedPayment | undefined> {
    const { id, amount, state } = transaction;
    if (state !== 'Registered') return undefined;
    const isLate = payment.at.toISOString() > detailsOf<CashInDetails>(transaction).expiresAt;
    if (!isLate && !misfitOf({ amount, payer }, payment)) return undefined;
    const closing = await asked(this.rail.cancelCharge(txidOf(id)));
    return closing.status === 'Paid' && closing.payment.endToEndId !== payment.endToEndId ? closing.payment : undefined;
  }

  async #note(located: LocatedTransaction, { endToEndId }: ReceivedPayment, extras: PaymentInExtras): Promise<void> {
    const { transaction, partnerUid } = located;
    const { payer, fee } = extras;
    const subject = partySubject(partnerUid, payer?.taxNumber, transaction.id);
    const noted = { ...(payer && { payer: sealed(subject, payer) }), ...(fee && { fee }) };
    await this.ledger.execute(
      appendTo(located, {
        actor: railActor(this.rail),
        subjects: payer ? [subject] : [],
        decide: ({ transaction: now }) => noteCashInExtras(now, endToEndId, noted),
      }),
    );
  }

  /**
   * A payment for a txid of ours that was never registered (its append failed) is returned; others are kept, with an
   * alert.
   */
  async #unmatched(payment: ReceivedPayment): Promise<PaymentDisposition> {
    const partition = this.transactions.partitionOfUnmatched(payment.txid);
    const id = payment.txid === null ? undefined : uuidOfTxid(payment.txid);
    const isOurs = id !== undefined;
    if (isOurs && Date.now() - createdAt(id) < REGISTRATION_MS) throw new ChargeNotYetKnown();
    const subject = transactionParty(payment.endToEndId);
    const data = {
      payment: factsOf(payment),
      payer: sealed(subject, payment.payer),
      txid: payment.txid,
      ...(isOurs && this.identifiers.returnOfMisfit(partition, payment.endToEndId)),
    };
    const outcome: Outcome = await this.ledger.execute({
      partition,
      reads: {},
      subjects: [subject],
      decide: () => [UnmatchedPaymentReceived.create(`payment-${payment.endToEndId}`, 1, data)],
      metadata: { actor: railActor(this.rail), correlation: newId(partition) },
      idempotency: onceFor(payment),
    });
    if (!outcome.replayed) {
      this.metrics.unmatched('Payment');
      const { endToEndId, txid } = payment;
      this.#logger.error({ endToEndId, txid, returned: isOurs }, 'an unmatched payment came in');
    }
    return isOurs ? 'Returned' : 'Unmatched';
  }
}

/** The rail's answer. An error of the rail's would not cross processes: the command may be another worker's. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error;
    throw new PaymentNotYetKnown(error.retryAfterMs);
  }
}

function onceFor({ endToEndId }: ReceivedPayment) {
  return { scope: 'rail-payment', key: endToEndId, request: endToEndId };
}

/** Members are named one by one: a rail may report more than is to be stored. */
function sealed(
  subject: SubjectRef,
  { name, taxNumber, ispb, branch, number, digit, type }: ReceivedPayment['payer'],
): Personal<Party> {
  return personal(subject, { name, taxNumber, ispb, branch, number, digit, type });
}

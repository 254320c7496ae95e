import { Inject, Injectable } from '@nestjs/common';
import {
  accountProjection,
  MOST_SCHEDULED,
  payeeOf,
  type PayoutLimits,
  Registry,
  summarise,
  TransactionRows,
} from '../../accounts/index.js';
import type { Principal } from '../../auth/index.js';
import {
  type Append,
  type IdempotencyKey,
  newId,
  type Outcome,
  personal,
  PersonalDataCodec,
  taxpayer,
  transactionParty,
} from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import type { IdempotentRequest } from '../../platform/http/index.js';
import { agreedPayment } from '../code-reading/code-payment.js';
import { CodeReader } from '../code-reading/code-reader.js';
import { type NewCashOut, registerCashOut } from '../domain/cash-out.decider.js';
import { CodeRefused } from '../domain/code-refused.js';
import { CashOutNotAvailable } from '../domain/errors.js';
import { CashOutRegistered, CashOutScheduled } from '../domain/events/cash-out.events.js';
import { txidOf } from '../domain/values/txid.js';
import { keepWebhook } from '../dto/webhook.js';
import { PixIdentifiers } from '../identifiers.js';
import { orderOf } from '../orders.projection.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { type AskedBy, type CallerTerms, metadataOf } from './caller-terms.js';
import { LaterCashOuts } from './later-cash-outs.js';
import { assertCanBeSent, payoutTerms } from './request-cash-out/payout-rules.js';
import type {
  AcceptedCashOut,
  ByCode,
  RequestedCashOut,
  ToRecipient,
} from './request-cash-out/request-cash-out.command.js';
import type { LinesOf } from './request-cash-outs/request-cash-outs.command.js';

/** What is paid, and to whom: as requested, or as code and request agree. */
export type Payment = Pick<ToRecipient, 'amount' | 'recipient'> & {
  /** Sent to the rail instead of a key. */
  readonly qrCode?: string;
};

/** The outcome of the payment's idempotency key, or else that of `work`. */
type UnlessDone = <T>(work: () => Promise<T | Outcome>) => Promise<T | Outcome>;

/** Makes the append of a cash-out, whichever route it came by. */
@Injectable()
export class CashOutAppends {
  constructor(
    private readonly registry: Registry,
    private readonly transactions: TransactionRows,
    private readonly codec: PersonalDataCodec,
    private readonly identifiers: PixIdentifiers,
    private readonly codes: CodeReader,
    private readonly later: LaterCashOuts,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param isLater some of them are for later */
  async terms(
    caller: Principal,
    { lines, isLater }: { readonly lines?: LinesOf; readonly isLater?: boolean },
  ): Promise<CallerTerms> {
    const { partition, accountUid } = caller;
    const { settings } = await this.registry.partner(caller.partnerUid);
    return {
      caller,
      settings,
      facts: await this.registry.facts(caller.accountUid),
      ...(lines && { lines }),
      isFull: isLater === true && (await this.transactions.hasWaiting(partition, accountUid, MOST_SCHEDULED)),
    };
  }

  keyOf({ accountUid }: Principal, idempotency: IdempotentRequest | undefined): IdempotencyKey | undefined {
    return idempotency && { scope: accountUid, ...idempotency };
  }

  /**
   * What a code pays. A repetition gets its first outcome without reading the code again, whatever its state is now.
   * @throws CashOutNotAvailable, CodeRefused
   */
  async readCode(partnerUid: string, payment: ByCode, unlessDone: UnlessDone): Promise<Payment | Outcome> {
    return unlessDone<Payment>(async () => {
      try {
        return await this.#agreed(partnerUid, payment);
      } catch (error) {
        if (!(error instanceof CodeRefused)) throw error;
        // Another request under the same key may have been accepted meanwhile.
        return unlessDone<never>(() => Promise.reject(error));
      }
    });
  }

  /** @returns makes the append, each time with another identifier for the rail */
  of(
    terms: CallerTerms,
    cashOut: RequestedCashOut,
    { amount, recipient, qrCode }: Payment,
    askedBy: AskedBy,
  ): () => Append {
    if (cashOut.terms) return this.later.appendOf(terms, cashOut, cashOut.terms, askedBy);
    const { caller, settings, lines } = terms;
    const { owner, holder } = terms.facts;
    const { partition, accountUid, partnerUid } = caller;
    const { orderId, orderDescription } = cashOut;
    const kept = cashOut.webhook && keepWebhook(cashOut.webhook, partition, this.codec);
    const id = newId(partition);
    const { method } = cashOut.payment;
    const { namesPayments } = this.rail.capabilities;
    const payee = recipient.taxNumber ? taxpayer(partnerUid, recipient.taxNumber) : transactionParty(id);
    const requested: NewCashOut = {
      id,
      method,
      amount,
      orderId,
      ...(orderDescription && { orderDescription: personal(owner, orderDescription) }),
      recipient: personal(payee, recipient),
      ...(namesPayments && method === 'KeyAndAccount' && { keyChecked: false }),
      ...(qrCode && { qrCode: personal(payee, qrCode) }),
      ...(kept && { webhook: kept.webhook }),
      ...(lines && { payoutFile: lines.file }),
    };
    const order = orderOf(accountUid, orderId, settings);
    return () => {
      const name = namesPayments
        ? { sentAs: { rail: this.rail.name, paymentId: txidOf(id) } }
        : { endToEndId: this.identifiers.endToEndId(partition) };
      return {
        partition,
        reads: { accounts: [accountUid], ...order.reads, ...lines?.reads },
        creates: { transactions: [id], ...order.creates },
        subjects: orderDescription ? [payee, owner] : [payee],
        secrets: kept?.secrets,
        decide: (rows, at, context) => {
          lines?.assertRuns(rows);
          // Not before: a repetition of a request that another rail accepted still gets its first answer.
          if (cashOut.payment.method !== 'QrCode') assertCanBeSent(this.rail, cashOut.payment, settings.accountDecides);
          const account = rows.of(accountProjection).get(accountUid)!;
          const asked = { taxNumber: recipient.taxNumber, subject: payee, holder: holder.taxNumber };
          const decidedOn = {
            ...payoutTerms(settings),
            account,
            orderIsTaken: order.isTaken(rows),
            payee: (limits: PayoutLimits) => payeeOf(account, limits, asked, rows, context),
          };
          return registerCashOut(decidedOn, { ...requested, ...name }, at);
        },
        metadata: metadataOf(terms, askedBy, id),
        idempotency: askedBy.idempotency,
      };
    };
  }

  accepted({ events, replayed }: Outcome, { facts: { holder } }: CallerTerms): AcceptedCashOut {
    const { data, time } = events.find((event) => CashOutRegistered.is(event) || CashOutScheduled.is(event))!;
    const { id, orderId, amount } = data;
    const shown = (state: 'Registered' | 'Scheduled') =>
      summarise({ id, state, date: time.toISOString(), orderId, amount: BigInt(amount) }, holder, this.config);
    if ('schedule' in data) {
      const { scheduledFor, retryUntil } = data.schedule;
      return { transaction: shown('Scheduled'), scheduledFor, ...(retryUntil && { retryUntil }), replayed };
    }
    return {
      transaction: shown('Registered'),
      ...(data.keyChecked === false && { payment: { keyChecked: false } }),
      replayed,
    };
  }

  /** What the rail cannot do is refused before the code is read. @throws CashOutNotAvailable, CodeRefused */
  async #agreed(partnerUid: string, { qrCode, code, requested }: ByCode): Promise<Payment> {
    const { sends, namesPayments } = this.rail.capabilities;
    if (!sends) throw new CashOutNotAvailable();
    if (code.kind === 'Dynamic' && namesPayments?.paysCharges === false)
      throw new CodeRefused('QrCodeKindNotSupported');
    const charge = await this.codes.read(partnerUid, code);
    const { amount, key, name, taxNumber, codeIsEnough } = agreedPayment(code, charge, requested);
    const recipient = { name, taxNumber, key };
    if (codeIsEnough || !namesPayments) return { amount, recipient, qrCode };
    // Paid to its key instead, a code loses its txid: the receiver could not match the payment.
    if (code.kind !== 'Static' || code.txid !== undefined) throw new CodeRefused('QrCodeKindNotSupported');
    return { amount, recipient };
  }
}

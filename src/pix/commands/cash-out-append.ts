import { Inject, Injectable } from '@nestjs/common';
import {
  accountProjection,
  MOST_SCHEDULED,
  partySubject,
  payeeOf,
  type PayoutLimits,
  Registry,
  summarise,
  TransactionRows,
} from '../../accounts/index.js';
import { keyActor, type Principal } from '../../auth/index.js';
import { type Append, markOf, newId, type Outcome, personal, PersonalDataCodec } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { type NewCashOut, registerCashOut } from '../domain/cash-out.decider.js';
import { CashOutRegistered, CashOutScheduled } from '../domain/events/cash-out.events.js';
import { paymentIdOf } from '../domain/values/payment-id.js';
import { txidOf } from '../domain/values/txid.js';
import { keepWebhook } from '../dto/webhook.js';
import { PixIdentifiers } from '../identifiers.js';
import { orderOf } from '../orders.projection.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { sentOver } from '../rails/rail-name.js';
import type { AskedBy, CallerContext } from './caller-context.js';
import { LaterCashOuts } from './later-cash-outs.js';
import { assertCanBeSent, payoutTerms } from './request-cash-out/payout-rules.js';
import type { AcceptedCashOut } from './request-cash-out/cash-out.answer.js';
import type { Payment, RequestedCashOut } from './requested-cash-out.js';
import type { LinesOf } from './request-cash-outs/request-cash-outs.command.js';

/** Makes the append of a cash-out, whichever route it came by. */
@Injectable()
export class CashOutAppends {
  constructor(
    private readonly registry: Registry,
    private readonly transactions: TransactionRows,
    private readonly codec: PersonalDataCodec,
    private readonly identifiers: PixIdentifiers,
    private readonly later: LaterCashOuts,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param isLater some of them are for later */
  async contextOf(
    caller: Principal,
    { lines, isLater }: { readonly lines?: LinesOf; readonly isLater?: boolean },
  ): Promise<CallerContext> {
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

  /** @returns makes the append; with another end-to-end id each time, where that is what names it to the rail */
  makerOf(
    callerContext: CallerContext,
    cashOut: RequestedCashOut,
    { amount, recipient, qrCode }: Payment,
    askedBy: AskedBy,
  ): () => Append {
    if (cashOut.later) {
      const later = this.later.appendOf(callerContext, cashOut, askedBy);
      return () => later;
    }
    const { caller, settings, lines } = callerContext;
    const { requestId, idempotency } = askedBy;
    const { owner, holder } = callerContext.facts;
    const { partition, accountUid, partnerUid } = caller;
    const { orderId, orderDescription } = cashOut;
    const kept = cashOut.webhook && keepWebhook(cashOut.webhook, partition, this.codec);
    const id = newId(partition);
    const { method } = cashOut.payment;
    const { namesPayments } = this.rail.capabilities;
    const payee = partySubject(partnerUid, recipient.taxNumber, id);
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
    const mark = namesPayments && idempotency && markOf(idempotency, this.codec);
    const paymentId = mark ? paymentIdOf({ partition, mark, amount }) : txidOf(id);
    return () => {
      const name = namesPayments
        ? { sentAs: { ...sentOver(this.rail), paymentId } }
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
            ...order.termsOf(rows),
            payee: (limits: PayoutLimits) => payeeOf(account, limits, asked, rows, context),
          };
          return registerCashOut(decidedOn, { ...requested, ...name }, at);
        },
        metadata: { actor: keyActor(caller), requestId, correlation: id },
        idempotency,
      };
    };
  }

  accepted({ events, replayed }: Outcome, { facts: { holder } }: CallerContext): AcceptedCashOut {
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
}

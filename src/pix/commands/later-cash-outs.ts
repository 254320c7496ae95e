import { Inject, Injectable } from '@nestjs/common';
import { accountProjection, type Prepared, taxpayer, TooManyScheduled } from '../../accounts/index.js';
import { keyActor } from '../../auth/index.js';
import { type Append, newId, personal, PersonalDataCodec } from '../../event-store/index.js';
import { type PayoutOrder, scheduleCashOut } from '../domain/scheduled-cash-out.decider.js';
import { keepWebhook } from '../dto/webhook.js';
import { orderOf } from '../orders.projection.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import type { AskedBy, CallerContext } from './caller-context.js';
import { assertCanBeSent, payoutTerms } from './request-cash-out/payout-rules.js';
import type { RequestedCashOut, ToRecipient } from './requested-cash-out.js';

/** Cash-outs for later, by themselves or as runs of a schedule. They are to a key or an account. */
@Injectable()
export class LaterCashOuts {
  constructor(
    private readonly codec: PersonalDataCodec,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  /** What its append reads and makes, and how it is decided. */
  prepare(
    { caller, settings, facts: { owner }, isFull }: CallerContext,
    cashOut: RequestedCashOut,
  ): Prepared<PayoutOrder> {
    const { partition, accountUid, partnerUid } = caller;
    const { orderId, orderDescription } = cashOut;
    const payment = cashOut.payment as ToRecipient;
    const { method, amount, recipient } = payment;
    const kept = cashOut.webhook && keepWebhook(cashOut.webhook, partition, this.codec);
    const payee = taxpayer(partnerUid, recipient.taxNumber);
    const { reads, creates, termsOf } = orderOf(accountUid, orderId, settings);
    const order = {
      ...{ method, amount: amount.toString(), orderId, recipient: personal(payee, recipient) },
      ...(kept && { webhook: kept.webhook }),
      ...(orderDescription && { orderDescription: personal(owner, orderDescription) }),
    };
    return {
      order,
      reads: { accounts: [accountUid], ...reads },
      creates,
      subjects: orderDescription ? [payee, owner] : [payee],
      secrets: kept?.secrets ?? [],
      decide: (rows, id, terms, at) => {
        assertCanBeSent(this.rail, payment, settings.accountDecides);
        if (isFull) throw new TooManyScheduled();
        const account = rows.of(accountProjection).get(accountUid)!;
        const decidedOn = { account, ...termsOf(rows), ...payoutTerms(settings) };
        return scheduleCashOut(decidedOn, { id, ...order }, terms, at);
      },
    };
  }

  /** @param cashOut with its `later` */
  appendOf(callerContext: CallerContext, cashOut: RequestedCashOut, { requestId, idempotency }: AskedBy): Append {
    const { caller } = callerContext;
    const { partition } = caller;
    const [id, timerId] = [newId(partition), newId(partition)];
    const { reads, creates, subjects, secrets, decide } = this.prepare(callerContext, cashOut);
    return {
      partition,
      reads,
      creates: { transactions: [id], scheduledTransactions: [id], ...creates },
      subjects,
      secrets,
      decide: (rows, at) => decide(rows, id, { ...cashOut.later!, timerId }, at),
      metadata: { actor: keyActor(caller), requestId, correlation: id },
      idempotency,
    };
  }
}

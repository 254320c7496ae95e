import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  accountProjection,
  MOST_SCHEDULED,
  orderKey,
  Registry,
  summarise,
  TooManyScheduled,
  TransactionRows,
} from '../../../accounts/index.js';
import { type EventOf, Ledger, newId, personal, PersonalDataCodec, taxpayer } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { keepWebhook } from '../../dto/webhook.js';
import { scheduleCashOut } from '../../domain/scheduled-cash-out.decider.js';
import type { CashOutScheduled } from '../../domain/events/cash-out.events.js';
import { orderProjection } from '../../orders.projection.js';
import { PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { assertCanBeSent, payoutTerms } from '../request-cash-out/payout-rules.js';
import type { AcceptedCashOut, ToRecipient } from '../request-cash-out/request-cash-out.command.js';
import { ScheduleCashOut } from './schedule-cash-out.command.js';

@CommandHandler(ScheduleCashOut)
export class ScheduleCashOutHandler implements ICommandHandler<ScheduleCashOut> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    private readonly transactions: TransactionRows,
    private readonly codec: PersonalDataCodec,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ caller, cashOut, requestId, idempotency }: ScheduleCashOut): Promise<AcceptedCashOut> {
    const { partition, accountUid, partnerUid } = caller;
    const { orderId, orderDescription, terms } = cashOut;
    const { method, amount, recipient } = cashOut.payment as ToRecipient;
    const { settings } = await this.registry.partner(partnerUid);
    const { owner, holder } = await this.registry.facts(accountUid);
    const { webhook, secrets } = keepWebhook(cashOut.webhook, partition, this.codec);
    const isFull = await this.transactions.hasWaiting(partition, accountUid, MOST_SCHEDULED);
    const [id, timerId] = [newId(partition), newId(partition)];
    const payee = taxpayer(partnerUid, recipient.taxNumber);
    const order = orderKey(accountUid, orderId);
    const unique = settings.uniqueOrderIds;
    const requested = {
      ...{ id, method, amount, orderId, recipient: personal(payee, recipient), webhook },
      ...(orderDescription && { orderDescription: personal(owner, orderDescription) }),
    };
    const { events, replayed } = await this.ledger.execute({
      partition,
      reads: { accounts: [accountUid], ...(unique && { orders: [order] }) },
      creates: { transactions: [id], scheduledTransactions: [id], ...(!unique && { orders: [order] }) },
      subjects: orderDescription ? [payee, owner] : [payee],
      secrets,
      decide: (rows, at) => {
        assertCanBeSent(this.rail, { method, recipient }, settings.accountDecides);
        if (isFull) throw new TooManyScheduled();
        const account = rows.of(accountProjection).get(accountUid)!;
        const orderIsTaken = unique && rows.of(orderProjection).has(order);
        const decidedOn = { account, orderIsTaken, ...payoutTerms(settings) };
        return scheduleCashOut(decidedOn, requested, { ...terms, timerId }, at);
      },
      metadata: { actor: `access-key:${caller.accessKey}`, requestId, correlation: id },
      idempotency: idempotency && { scope: accountUid, ...idempotency },
    });
    const { data, time } = events[0] as EventOf<typeof CashOutScheduled>;
    const scheduled = { id: data.id, state: 'Scheduled' as const, date: time.toISOString(), orderId: data.orderId };
    const { scheduledFor, retryUntil } = data.schedule;
    return {
      transaction: summarise({ ...scheduled, amount: BigInt(data.amount) }, holder, this.config),
      scheduledFor,
      ...(retryUntil && { retryUntil }),
      replayed,
    };
  }
}

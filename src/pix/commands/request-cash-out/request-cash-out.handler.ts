import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accountProjection, amountLimits, type PartnerSettings, Registry, summarise } from '../../../accounts/index.js';
import { type EventOf, Ledger, newId, personal, PersonalDataCodec, taxpayer } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { keepWebhook } from '../../body/webhook.js';
import { type CashOutRequest, registerCashOut } from '../../domain/cash-out.decider.js';
import {
  AccountDigitIsRequired,
  AccountTypeNotAvailable,
  CashOutNotAvailable,
  KeyAccountCheckNotAvailable,
} from '../../domain/errors.js';
import type { CashOutRegistered } from '../../domain/events/cash-out.events.js';
import { txidOf } from '../../domain/values/txid.js';
import { PixIdentifiers, withFresh } from '../../identifiers.js';
import { orderKey, orderProjection } from '../../orders.projection.js';
import { PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import type { RequestedCashOut } from './cash-out.body.js';
import { type AcceptedCashOut, RequestCashOut } from './request-cash-out.command.js';

@CommandHandler(RequestCashOut)
export class RequestCashOutHandler implements ICommandHandler<RequestCashOut> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    private readonly codec: PersonalDataCodec,
    private readonly identifiers: PixIdentifiers,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ caller, cashOut, requestId, idempotency }: RequestCashOut): Promise<AcceptedCashOut> {
    const { partition, accountUid, partnerUid } = caller;
    const { settings } = await this.registry.partner(partnerUid);
    const { owner, holder } = await this.registry.facts(accountUid);
    const { method, amount, recipient, orderId, orderDescription } = cashOut;
    const { webhook, secrets } = keepWebhook(cashOut.webhook, partition, this.codec);
    const payee = taxpayer(partnerUid, recipient.taxNumber);
    const request: Omit<CashOutRequest, 'endToEndId' | 'sentAs'> = {
      id: newId(partition),
      method,
      amount,
      orderId,
      ...(orderDescription && { orderDescription: personal(owner, orderDescription) }),
      recipient: personal(payee, recipient),
      ...(this.rail.capabilities.namesPayments && method === 'KeyAndAccount' && { keyChecked: false }),
      webhook,
    };
    const order = orderKey(accountUid, orderId);
    const unique = settings.uniqueOrderIds;
    const register = (name: Pick<CashOutRequest, 'endToEndId' | 'sentAs'>) =>
      this.ledger.execute({
        partition,
        reads: { accounts: [accountUid], ...(unique && { orders: [order] }) },
        creates: { transactions: [request.id], ...(!unique && { orders: [order] }) },
        subjects: orderDescription ? [payee, owner] : [payee],
        secrets,
        decide: (rows, at) => {
          // Here and not before: a key that was accepted under another rail still gets its first answer.
          this.#assertCanBeSent(cashOut, settings.accountDecides);
          const account = rows.of(accountProjection).get(accountUid)!;
          const orderIsTaken = unique && rows.of(orderProjection).has(order);
          return registerCashOut({ account, orderIsTaken, ...termsOf(settings) }, { ...request, ...name }, at);
        },
        metadata: { actor: `access-key:${caller.accessKey}`, requestId, correlation: request.id },
        idempotency: idempotency && { scope: accountUid, ...idempotency },
      });
    const sentAs = { rail: this.rail.name, paymentId: txidOf(request.id) };
    const { events, replayed } = await (this.rail.capabilities.namesPayments
      ? register({ sentAs })
      : withFresh(
          () => this.identifiers.endToEndId(partition),
          (endToEndId) => register({ endToEndId }),
        ));
    const { data, time } = events[0] as EventOf<typeof CashOutRegistered>;
    const registered = { id: data.id, state: 'Registered' as const, date: time.toISOString(), orderId: data.orderId };
    return {
      transaction: summarise({ ...registered, amount: BigInt(data.amount) }, holder, this.config),
      ...(data.keyChecked === false && { payment: { keyChecked: false } }),
      replayed,
    };
  }

  /** Whatever the rail cannot do, or check, is refused before anything is held. */
  #assertCanBeSent({ method, recipient }: RequestedCashOut, accountDecides: boolean): void {
    const { sends, namesPayments } = this.rail.capabilities;
    if (!sends) throw new CashOutNotAvailable();
    if (!namesPayments) return;
    if (method === 'KeyAndAccount') {
      if (!accountDecides) throw new KeyAccountCheckNotAvailable();
      if (recipient.account?.digit === '') throw new AccountDigitIsRequired();
    }
    const type = recipient.account?.type;
    if (type && !namesPayments.accountTypes.includes(type)) throw new AccountTypeNotAvailable(type);
  }
}

function termsOf({ cashOutMinimum, cashOutMaximum, cashOutNightMaximum, cashOutCharge }: PartnerSettings) {
  return {
    limits: amountLimits(cashOutMinimum, cashOutMaximum),
    nightMaximum: cashOutNightMaximum === null ? null : BigInt(cashOutNightMaximum),
    charges: BigInt(cashOutCharge),
  };
}

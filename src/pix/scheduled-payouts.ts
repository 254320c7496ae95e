import { Inject, Injectable } from '@nestjs/common';
import {
  accountProjection,
  MOST_SCHEDULED,
  orderKey,
  Registry,
  type Prepared,
  TooManyScheduled,
  TransactionRows,
} from '../accounts/index.js';
import type { Principal } from '../auth/index.js';
import { personal, PersonalDataCodec, taxpayer } from '../event-store/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import type { LocatedFault } from '../platform/http/index.js';
import { assertCanBeSent, payoutTerms } from './commands/request-cash-out/payout-rules.js';
import type { RequestedCashOut, ToRecipient } from './commands/request-cash-out/request-cash-out.command.js';
import { cashOutFaults, type RequestCashOutDto } from './commands/request-cash-out/request-cash-out.dto.js';
import { type PayoutOrder, scheduleCashOut } from './domain/scheduled-cash-out.decider.js';
import { keepWebhook, webhookPolicy } from './dto/webhook.js';
import { orderProjection } from './orders.projection.js';
import { PIX_RAIL, type PixRail } from './rails/pix-rail.js';

/** Prepares payouts for later: what is read before one is decided, and how it is. */
@Injectable()
export class ScheduledPayouts {
  constructor(
    private readonly registry: Registry,
    private readonly transactions: TransactionRows,
    private readonly codec: PersonalDataCodec,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Faults over several members of a body. */
  faults(body: RequestCashOutDto): LocatedFault[] {
    return cashOutFaults(body, webhookPolicy(this.config));
  }

  /** The charge of a payout that is scheduled now, centavos. */
  async charges(partnerUid: string): Promise<bigint> {
    return payoutTerms((await this.registry.partner(partnerUid)).settings).charges;
  }

  /** @param cashOut of a key or an account */
  async prepare(
    { accountUid, partnerUid, partition }: Principal,
    cashOut: RequestedCashOut,
  ): Promise<Prepared<PayoutOrder>> {
    const { orderDescription } = cashOut;
    const { method, amount, recipient } = cashOut.payment as ToRecipient;
    const { settings } = await this.registry.partner(partnerUid);
    const { owner } = await this.registry.facts(accountUid);
    const kept = cashOut.webhook && keepWebhook(cashOut.webhook, partition, this.codec);
    const isFull = await this.transactions.hasWaiting(partition, accountUid, MOST_SCHEDULED);
    const payee = taxpayer(partnerUid, recipient.taxNumber);
    const { orderId } = cashOut;
    const orders = [orderKey(accountUid, orderId)];
    const unique = settings.uniqueOrderIds;
    const order = {
      ...{ method, amount: amount.toString(), orderId, recipient: personal(payee, recipient) },
      ...(kept && { webhook: kept.webhook }),
      ...(orderDescription && { orderDescription: personal(owner, orderDescription) }),
    };
    return {
      order,
      reads: { accounts: [accountUid], ...(unique && { orders }) },
      creates: unique ? {} : { orders },
      subjects: orderDescription ? [payee, owner] : [payee],
      secrets: kept?.secrets ?? [],
      decide: (rows, id, terms, at) => {
        assertCanBeSent(this.rail, { method, recipient }, settings.accountDecides);
        if (isFull) throw new TooManyScheduled();
        const account = rows.of(accountProjection).get(accountUid)!;
        const orderIsTaken = unique && rows.of(orderProjection).has(orders[0]!);
        return scheduleCashOut({ account, orderIsTaken, ...payoutTerms(settings) }, { id, ...order }, terms, at);
      },
    };
  }
}

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  accountProjection,
  amountLimits,
  assertWithin,
  type PartnerSettings,
  partySubject,
  Registry,
  summarise,
} from '../../../accounts/index.js';
import { keyActor } from '../../../auth/index.js';
import {
  type Append,
  type EventOf,
  type IdempotencyKey,
  Ledger,
  newId,
  type Outcome,
  personal,
  PersonalDataCodec,
  Preview,
  scoped,
  type SubjectRef,
} from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { ServiceUnavailable } from '../../../platform/errors/index.js';
import { keepWebhook } from '../../dto/webhook.js';
import { ChargeTurns } from '../../charge-turns.js';
import { CashInCodes, qrCodeLocation } from '../../cash-in-codes.js';
import { registerCashIn } from '../../domain/cash-in.decider.js';
import { ChargeRefusedByRail, PayerCannotBeVerified } from '../../domain/errors.js';
import type { CashInRegistered } from '../../domain/events/cash-in.events.js';
import type { ExpectedPayer } from '../../domain/events/shared.js';
import { CHARGEABLE } from '../../domain/limits.js';
import { unverifiable } from '../../domain/payment-fit.js';
import { txidOf } from '../../domain/values/txid.js';
import { orderOf } from '../../orders.projection.js';
import { type Charge, type ChargeCode, PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { ChargeRefused, RailUnavailable } from '../../rails/rail-errors.js';
import type { RequestedCashIn } from './cash-in.body.js';
import { type AcceptedCashIn, RequestCashIn } from './request-cash-in.command.js';

@CommandHandler(RequestCashIn)
export class RequestCashInHandler implements ICommandHandler<RequestCashIn> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    private readonly codec: PersonalDataCodec,
    private readonly codes: CashInCodes,
    private readonly turns: ChargeTurns,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute(command: RequestCashIn): Promise<AcceptedCashIn> {
    const { partition, accountUid } = command.caller;
    const { holder } = await this.registry.facts(accountUid);
    const key = scoped(accountUid, command.idempotency);
    // Not only in the append: a repetition must neither be checked again nor create a charge at the rail.
    const work = () => this.#register(command, key);
    const { events, replayed } = await this.ledger.unlessDone(partition, key, work, command.preview);
    const { data, time } = events[0] as EventOf<typeof CashInRegistered>;
    const registered = { id: data.id, state: 'Registered' as const, date: time.toISOString(), orderId: data.orderId };
    return {
      transaction: summarise({ ...registered, amount: BigInt(data.amount) }, holder, this.config),
      payment: { qrCode: data.qrCode, qrCodeLocation: qrCodeLocation(this.config.publicUrl, data.id) },
      replayed,
    };
  }

  async #register(
    { caller, cashIn, requestId, preview }: RequestCashIn,
    idempotency?: IdempotencyKey,
  ): Promise<Outcome> {
    const { partition, accountUid, partnerUid } = caller;
    const { settings } = await this.registry.partner(partnerUid);
    const { owner } = await this.registry.facts(accountUid);
    const { amount, payer, orderId, orderDescription } = cashIn;
    assertWithin(CHARGEABLE, amount);
    this.#assertVerifiable(payer);
    const { webhook, secrets } = keepWebhook(cashIn.webhook, partition, this.codec);
    const id = newId(partition);
    const charge = this.#chargeOf(id, cashIn);
    const person = partySubject(partnerUid, payer?.taxNumber, id);
    const subjects: SubjectRef[] = [];
    if (payer) subjects.push(person);
    if (orderDescription) subjects.push(owner);
    const requestOf = ({ location, qrCode }: ChargeCode) => ({
      id,
      amount,
      orderId,
      ...(orderDescription && { orderDescription: personal(owner, orderDescription) }),
      ...(payer && { expectedPayer: personal(person, payer) }),
      webhook,
      qrCode: qrCode ?? this.codes.encode(location, amount),
      location,
      expiresAt: charge.expiresAt,
    });
    const order = orderOf(accountUid, orderId, settings);
    const appendOf = (code: ChargeCode): Append => ({
      partition,
      reads: { accounts: [accountUid], ...order.reads },
      creates: { transactions: [id], ...order.creates },
      subjects,
      secrets,
      decide: (rows) => {
        const account = rows.of(accountProjection).get(accountUid)!;
        return registerCashIn({ account, ...order.termsOf(rows), ...termsOf(settings) }, requestOf(code));
      },
      metadata: { actor: keyActor(caller), requestId, correlation: id },
      idempotency,
    });
    const withoutCharge = appendOf({ location: charge.location });
    // The rail would keep it.
    if (preview) return this.ledger.execute(withoutCharge, preview);
    // What the ledger refuses is no call of the rail, and leaves no charge there.
    if (this.turns.areFew) await this.ledger.execute(withoutCharge, new Preview(partnerUid, {}, () => true));
    const code = await this.turns.take(partnerUid, () => this.#createCharge(charge));
    return this.ledger.execute(appendOf(code));
  }

  #chargeOf(id: string, { amount, payer, orderId, orderDescription, expiresIn }: RequestedCashIn): Charge {
    const createdAt = new Date();
    return {
      txid: txidOf(id),
      location: this.codes.locationOf(id),
      amount,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + expiresIn * 1000),
      debtor: { name: payer?.name ?? '', taxNumber: payer?.taxNumber ?? '' },
      orderId,
      description: orderDescription ?? '',
    };
  }

  #assertVerifiable(payer: ExpectedPayer | undefined): void {
    const member = payer && unverifiable(payer, this.rail.capabilities.identifiesPayer);
    if (member) throw new PayerCannotBeVerified(member);
  }

  /** Before the append, by a txid of ours: a charge whose append fails expires unseen. */
  async #createCharge(charge: Charge): Promise<ChargeCode> {
    try {
      return await this.rail.createCharge(charge);
    } catch (error) {
      if (error instanceof ChargeRefused) throw new ChargeRefusedByRail(error.code);
      if (!(error instanceof RailUnavailable)) throw error;
      throw new ServiceUnavailable('The rail is not available at the moment. Nothing was done.');
    }
  }
}

function termsOf({ cashInMinimum, cashInMaximum, cashInCharge }: PartnerSettings) {
  return { limits: amountLimits(cashInMinimum, cashInMaximum), charges: BigInt(cashInCharge) };
}

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accountProjection, amountLimits, type PartnerSettings, Registry, summarise } from '../../../accounts/index.js';
import {
  type EventOf,
  Ledger,
  newId,
  personal,
  PersonalDataCodec,
  taxpayer,
  transactionParty,
} from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { keepWebhook } from '../../body/webhook.js';
import { agreedPayment } from '../../charges-read/code-payment.js';
import { CodeReader } from '../../charges-read/code-reader.js';
import { CodeRefused } from '../../charges-read/code-refused.js';
import { type CashOutRequest, registerCashOut } from '../../domain/cash-out.decider.js';
import {
  AccountDigitIsRequired,
  AccountTypeNotAvailable,
  CashOutNotAvailable,
  CodeCannotBePaid,
  KeyAccountCheckNotAvailable,
} from '../../domain/errors.js';
import type { Recipient } from '../../domain/events/shared.js';
import type { CashOutRegistered } from '../../domain/events/cash-out.events.js';
import { txidOf } from '../../domain/values/txid.js';
import { PixIdentifiers, withFresh } from '../../identifiers.js';
import { orderKey, orderProjection } from '../../orders.projection.js';
import { PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import type { ByCode, RequestedCashOut } from './cash-out.body.js';
import { type AcceptedCashOut, RequestCashOut } from './request-cash-out.command.js';

/** What is paid, to whom, and by which code. */
interface Payment {
  readonly amount: bigint;
  readonly recipient: Recipient;
  /** What the rail is given instead of a key. */
  readonly qrCode?: string;
}

@CommandHandler(RequestCashOut)
export class RequestCashOutHandler implements ICommandHandler<RequestCashOut> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    private readonly codec: PersonalDataCodec,
    private readonly identifiers: PixIdentifiers,
    private readonly codes: CodeReader,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ caller, cashOut, requestId, idempotency }: RequestCashOut): Promise<AcceptedCashOut> {
    const { partition, accountUid, partnerUid } = caller;
    const { settings } = await this.registry.partner(partnerUid);
    const { owner, holder } = await this.registry.facts(accountUid);
    const { method, orderId, orderDescription } = cashOut;
    const { webhook, secrets } = keepWebhook(cashOut.webhook, partition, this.codec);
    const payment = cashOut.method === 'QrCode' ? await this.#byCode(partnerUid, cashOut) : cashOut;
    const id = newId(partition);
    const taxNumber = payment instanceof CodeRefused ? '' : payment.recipient.taxNumber;
    const payee = taxNumber ? taxpayer(partnerUid, taxNumber) : transactionParty(id);
    const requested = ({ amount, recipient, qrCode }: Payment): Omit<CashOutRequest, 'endToEndId' | 'sentAs'> => ({
      id,
      method,
      amount,
      orderId,
      ...(orderDescription && { orderDescription: personal(owner, orderDescription) }),
      recipient: personal(payee, recipient),
      ...(this.rail.capabilities.namesPayments && method === 'KeyAndAccount' && { keyChecked: false }),
      ...(qrCode && { qrCode: personal(payee, qrCode) }),
      webhook,
    });
    const order = orderKey(accountUid, orderId);
    const unique = settings.uniqueOrderIds;
    const register = (name: Pick<CashOutRequest, 'endToEndId' | 'sentAs'>) =>
      this.ledger.execute({
        partition,
        reads: { accounts: [accountUid], ...(unique && { orders: [order] }) },
        creates: { transactions: [id], ...(!unique && { orders: [order] }) },
        subjects: orderDescription ? [payee, owner] : [payee],
        secrets,
        decide: (rows, at) => {
          // Here and not before: a key that was accepted under another rail still gets its first answer.
          this.#assertCanBeSent(cashOut, settings.accountDecides);
          if (payment instanceof CodeRefused) throw new CodeCannotBePaid(payment);
          this.#assertLosesNothing(cashOut, payment);
          const account = rows.of(accountProjection).get(accountUid)!;
          const orderIsTaken = unique && rows.of(orderProjection).has(order);
          const request = { ...requested(payment), ...name };
          return registerCashOut({ account, orderIsTaken, ...termsOf(settings) }, request, at);
        },
        metadata: { actor: `access-key:${caller.accessKey}`, requestId, correlation: id },
        idempotency: idempotency && { scope: accountUid, ...idempotency },
      });
    const sentAs = { rail: this.rail.name, paymentId: txidOf(id) };
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

  /** A refusal is kept, not thrown: a key that was accepted before still gets its first answer. */
  async #byCode(partnerUid: string, { qrCode, code, said }: ByCode): Promise<Payment | CodeRefused> {
    try {
      const charge = this.rail.capabilities.sends ? await this.codes.read(partnerUid, code) : null;
      const { amount, key, name, taxNumber, codeSaysAll } = agreedPayment(code, charge, said);
      const isGiven = codeSaysAll || !this.rail.capabilities.namesPayments;
      return { amount, recipient: { name, taxNumber, key }, ...(isGiven && { qrCode }) };
    } catch (error) {
      if (error instanceof CodeRefused) return error;
      throw error;
    }
  }

  /** Whatever the rail cannot do, or check, is refused before anything is held. */
  #assertCanBeSent(cashOut: RequestedCashOut, accountDecides: boolean): void {
    const { sends, namesPayments } = this.rail.capabilities;
    if (!sends) throw new CashOutNotAvailable();
    if (!namesPayments) return;
    if (cashOut.method === 'QrCode') {
      if (cashOut.code.kind === 'Dynamic' && !namesPayments.paysCharges) throw notSupported();
      return;
    }
    const { method, recipient } = cashOut;
    if (method === 'KeyAndAccount') {
      if (!accountDecides) throw new KeyAccountCheckNotAvailable();
      if (recipient.account?.digit === '') throw new AccountDigitIsRequired();
    }
    const type = recipient.account?.type;
    if (type && !namesPayments.accountTypes.includes(type)) throw new AccountTypeNotAvailable(type);
  }

  /** Paid to its key instead, a code loses its txid, and the receiver could not tell what was paid. */
  #assertLosesNothing(cashOut: RequestedCashOut, { qrCode }: Payment): void {
    if (cashOut.method !== 'QrCode' || qrCode !== undefined) return;
    const { code } = cashOut;
    if (code.kind !== 'Static' || code.txid !== undefined) throw notSupported();
  }
}

function notSupported(): CodeCannotBePaid {
  return new CodeCannotBePaid(new CodeRefused('QrCodeKindNotSupported'));
}

function termsOf({ cashOutMinimum, cashOutMaximum, cashOutNightMaximum, cashOutCharge }: PartnerSettings) {
  return {
    limits: amountLimits(cashOutMinimum, cashOutMaximum),
    nightMaximum: cashOutNightMaximum === null ? null : BigInt(cashOutNightMaximum),
    charges: BigInt(cashOutCharge),
  };
}

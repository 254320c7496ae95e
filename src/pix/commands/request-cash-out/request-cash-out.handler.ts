import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accountProjection, orderKey, Registry, summarise } from '../../../accounts/index.js';
import {
  type EventOf,
  type IdempotencyKey,
  Ledger,
  newId,
  type Outcome,
  personal,
  PersonalDataCodec,
  taxpayer,
  transactionParty,
} from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { keepWebhook } from '../../dto/webhook.js';
import { agreedPayment } from '../../code-reading/code-payment.js';
import { CodeReader } from '../../code-reading/code-reader.js';
import { CodeRefused } from '../../domain/code-refused.js';
import { type NewCashOut, registerCashOut } from '../../domain/cash-out.decider.js';
import { CashOutNotAvailable } from '../../domain/errors.js';
import type { CashOutRegistered } from '../../domain/events/cash-out.events.js';
import { txidOf } from '../../domain/values/txid.js';
import { PixIdentifiers, withFresh } from '../../identifiers.js';
import { orderProjection } from '../../orders.projection.js';
import { PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { assertCanBeSent, payoutTerms } from './payout-rules.js';
import { type AcceptedCashOut, type ByCode, RequestCashOut, type ToRecipient } from './request-cash-out.command.js';

/** What is paid, and to whom: as requested, or as code and request agree. */
type Payment = Pick<ToRecipient, 'amount' | 'recipient'> & {
  /** Sent to the rail instead of a key. */
  readonly qrCode?: string;
};

type RailName = Pick<NewCashOut, 'endToEndId' | 'sentAs'>;

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

  async execute(command: RequestCashOut): Promise<AcceptedCashOut> {
    const { caller, cashOut, idempotency } = command;
    const { accountUid } = caller;
    const { payment } = cashOut;
    const key = idempotency && { scope: accountUid, ...idempotency };
    const { events, replayed } = await (payment.method === 'QrCode'
      ? this.#payCode(command, payment, key)
      : this.#register(command, payment, key));
    const { holder } = await this.registry.facts(accountUid);
    const { data, time } = events[0] as EventOf<typeof CashOutRegistered>;
    const registered = { id: data.id, state: 'Registered' as const, date: time.toISOString(), orderId: data.orderId };
    return {
      transaction: summarise({ ...registered, amount: BigInt(data.amount) }, holder, this.config),
      ...(data.keyChecked === false && { payment: { keyChecked: false } }),
      replayed,
    };
  }

  /** A repetition gets its first answer without reading the code again, whatever its state is now. */
  async #payCode(command: RequestCashOut, payment: ByCode, key: IdempotencyKey | undefined): Promise<Outcome> {
    const { partition, partnerUid } = command.caller;
    return this.ledger.unlessDone(partition, key, async () => {
      try {
        return await this.#register(command, await this.#agreed(partnerUid, payment), key);
      } catch (error) {
        if (!(error instanceof CodeRefused)) throw error;
        // Another request under the same key may have been accepted meanwhile.
        return this.ledger.unlessDone(partition, key, () => Promise.reject(error));
      }
    });
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

  async #register(command: RequestCashOut, payment: Payment, idempotency?: IdempotencyKey): Promise<Outcome> {
    const { caller, cashOut, requestId } = command;
    const { partition, accountUid, partnerUid } = caller;
    const { orderId, orderDescription } = cashOut;
    const { settings } = await this.registry.partner(partnerUid);
    const { owner } = await this.registry.facts(accountUid);
    const { webhook, secrets } = keepWebhook(cashOut.webhook, partition, this.codec);
    const id = newId(partition);
    const { amount, recipient, qrCode } = payment;
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
      webhook,
    };
    const order = orderKey(accountUid, orderId);
    const unique = settings.uniqueOrderIds;
    const append = (name: RailName) =>
      this.ledger.execute({
        partition,
        reads: { accounts: [accountUid], ...(unique && { orders: [order] }) },
        creates: { transactions: [id], ...(!unique && { orders: [order] }) },
        subjects: orderDescription ? [payee, owner] : [payee],
        secrets,
        decide: (rows, at) => {
          // Not before: a repetition of a request that another rail accepted still gets its first answer.
          if (cashOut.payment.method !== 'QrCode') assertCanBeSent(this.rail, cashOut.payment, settings.accountDecides);
          const account = rows.of(accountProjection).get(accountUid)!;
          const orderIsTaken = unique && rows.of(orderProjection).has(order);
          return registerCashOut({ account, orderIsTaken, ...payoutTerms(settings) }, { ...requested, ...name }, at);
        },
        metadata: { actor: `access-key:${caller.accessKey}`, requestId, correlation: id },
        idempotency,
      });
    if (namesPayments) return append({ sentAs: { rail: this.rail.name, paymentId: txidOf(id) } });
    return withFresh(
      () => this.identifiers.endToEndId(partition),
      (endToEndId) => append({ endToEndId }),
    );
  }
}

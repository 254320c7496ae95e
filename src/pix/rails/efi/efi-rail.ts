import { Inject, Injectable } from '@nestjs/common';
import type { Attempt } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { isCompany } from '../../../platform/tax-number.js';
import { Cobs } from '../bcb/cobs.js';
import { Devolucoes } from '../bcb/devolucoes.js';
import { CHARGES_AT_ONCE } from '../bcb/mutual-tls.js';
import { ReceivedList } from '../bcb/received-list.js';
import type {
  Charge,
  ChargeClosing,
  ChargeCode,
  KeyLookup,
  PaymentInstruction,
  PaymentOutcome,
  PixRail,
  RailCapabilities,
  RailMovement,
  RailPage,
  Received,
  ReceivedPayment,
  RefundInstruction,
  RefundOutcome,
} from '../pix-rail.js';
import { RailUnavailable } from '../rail-errors.js';
import { AccountBalance } from './account-balance.js';
import { SentList } from './sent-list.js';
import { SentPayments } from './sent-payments.js';
import { PAID_ACCOUNT_TYPES } from './states.js';

/** Efí: the API Pix for payments in, and routes of its own for payments out. */
@Injectable()
export class EfiRail implements PixRail {
  readonly name = 'efi';
  readonly psp: string;
  readonly capabilities: RailCapabilities;

  constructor(
    private readonly cobs: Cobs,
    private readonly devolucoes: Devolucoes,
    private readonly received: ReceivedList,
    private readonly payments: SentPayments,
    private readonly sent: SentList,
    private readonly account: AccountBalance,
    @Inject(CONFIG) { efi }: Config,
  ) {
    this.psp = efi!.psp;
    this.capabilities = {
      sends: true,
      namesPayments: {
        concurrency: efi!.atOnce,
        slotMs: efi!.turnMs,
        accountTypes: PAID_ACCOUNT_TYPES,
        paysCharges: efi!.paysCharges,
      },
      chargesAtOnce: CHARGES_AT_ONCE,
      // Of the payer's account it reports the bank only.
      identifiesPayer: efi!.checksPayer ? 'ByTaxNumber' : 'No',
      lookUpLagMs: efi!.lookUpLagMs,
    };
  }

  /**
   * Reached only by a cash-out that was accepted for another rail: it stays open until that rail is configured again.
   */
  async lookUpKey(): Promise<KeyLookup> {
    throw new RailUnavailable('Efí has no look-up of keys');
  }

  send(instruction: PaymentInstruction, attempt: Attempt): Promise<PaymentOutcome> {
    return this.payments.send(instruction, attempt);
  }

  query(paymentId: string): Promise<PaymentOutcome> {
    return this.payments.query(paymentId);
  }

  createCharge(charge: Charge): Promise<ChargeCode> {
    return this.cobs.create(charge);
  }

  cancelCharge(txid: string): Promise<ChargeClosing> {
    return this.cobs.cancel(txid);
  }

  /**
   * By the list's filter. A list without the payment even when unfiltered proves nothing, and neither does one that was
   * read before the payment came into it. @throws RailUnavailable
   */
  async isPaidBy(payment: ReceivedPayment, taxNumber: string): Promise<boolean> {
    const byPayer: Record<string, string> = isCompany(taxNumber) ? { cnpj: taxNumber } : { cpf: taxNumber };
    if (await this.received.lists(payment, byPayer)) return true;
    if (await this.received.lists(payment, {})) return this.received.lists(payment, byPayer);
    throw new RailUnavailable('the PSP does not list a payment that it knows');
  }

  refund(instruction: RefundInstruction, attempt: Attempt): Promise<RefundOutcome> {
    return this.devolucoes.refund(instruction, attempt);
  }

  queryRefund(refund: Pick<RefundInstruction, 'returnId' | 'endToEndId'>): Promise<RefundOutcome> {
    return this.devolucoes.query(refund);
  }

  balance(): Promise<bigint> {
    return this.account.balance();
  }

  receivedBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<Received>> {
    return inParts(cursor, [
      (place) => this.received.receivedBetween(from, to, place),
      (place) => this.sent.endedBetween(from, to, place),
      (place) => this.sent.returnedBetween(from, to, place),
    ]);
  }

  movementsBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<RailMovement>> {
    return inParts(cursor, [
      (place) => this.received.movementsBetween(from, to, place),
      (place) => this.sent.paymentsOut(from, to, place),
      (place) => this.sent.refundsIn(from, to, place),
    ]);
  }
}

/** Several lists, one after the other; a cursor begins with the number of the list. */
async function inParts<T>(
  cursor: string | null,
  parts: readonly ((place: string | null) => Promise<RailPage<T>>)[],
): Promise<RailPage<T>> {
  const [, at, place] = /^(\d) ?(.*)$/.exec(cursor ?? '0')!;
  const { nextCursor, ...page } = await parts[Number(at)]!(place || null);
  if (nextCursor !== null) return { ...page, nextCursor: `${at} ${nextCursor}` };
  const next = Number(at) + 1;
  return { ...page, nextCursor: next < parts.length ? String(next) : null };
}

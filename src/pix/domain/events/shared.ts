import type { BankAccount, PayerAccount, ValidationAccount } from '../values/bank-account.js';
import type { PixKey } from '../values/pix-key.js';

/**
 * Shapes that the events of all Pix transactions share. Amounts are centavos in decimal text, dates ISO text in UTC.
 */

/** Where a transaction's notifications go. The custom header's value is a secret, kept apart and encrypted. */
export interface WebhookTarget {
  readonly url: string;
  /**
   * `secretId` is the row of `secret` in the transaction's own partition; read it with `PersonalDataCodec.openSecret`.
   */
  readonly header?: { readonly name: string; readonly secretId: string };
}

/** The other party; a member that is not known is absent. */
export interface Party extends Partial<BankAccount> {
  readonly name?: string;
  /** CPF or CNPJ, normalised. */
  readonly taxNumber?: string;
}

/** The recipient that the partner requested. */
export interface Recipient {
  /** `""` when the request named none. */
  readonly name: string;
  /** `""` where a code is paid, and neither it nor the request gives one. */
  readonly taxNumber: string;
  readonly key?: PixKey;
  readonly account?: BankAccount;
}

/** The expected payer, by the request only. */
export interface ExpectedPayer {
  /** `""` when the request named none. */
  readonly name: string;
  readonly taxNumber?: string;
  /** `digit` is `""` where the request gave none separately. Requests of earlier versions may have a type too. */
  readonly account?: PayerAccount & Partial<Pick<BankAccount, 'type'>>;
  readonly validationAccounts?: readonly ValidationAccount[];
}

/** A payment of the rail, without its payer: that is personal data and a member of its own. */
export interface PaymentFacts {
  readonly endToEndId: string;
  /** Centavos that were paid. */
  readonly amount: string;
  /** When the rail settled it. */
  readonly settledAt: string;
}

/** The rail over which money was to be sent: it alone knows what became of it. */
export interface SentOver {
  /** The rail's name. */
  readonly rail: string;
  /** The operator's name for the account at its PSP. Absent where the rail has none, and in earlier events. */
  readonly psp?: string;
}

/** A payout's identifier at a rail that makes EndToEndIds itself. */
export interface SentAs extends SentOver {
  /** Ours, of the request's key or the transaction's id (`paymentIdOf`): the rail makes one payment under it. */
  readonly paymentId: string;
}

/** Why blocked money goes back (BCB, API Pix 2.9, `natureza`): suspicion of fraud, or the receiver's own wish. */
export const HELD_RETURN_CODES = ['FR01', 'MD06'] as const;
export type HeldReturnCode = (typeof HELD_RETURN_CODES)[number];

/** The three methods of contract 4.4, and the copy-and-paste code. */
export type CashOutMethod = 'Key' | 'Account' | 'KeyAndAccount' | 'QrCode';

import type { BankAccount, PayerAccount, ValidationAccount } from '../values/bank-account.js';
import type { PixKey } from '../values/pix-key.js';

/** Shapes that the events of all Pix transactions share. Amounts are centavos in decimal text, dates ISO text in UTC. */

/** Where a transaction's notifications go. The custom header's value is a secret, kept apart and encrypted. */
export interface WebhookTarget {
  readonly url: string;
  /** `secretId` is the row of `secret` in the transaction's own partition; read it with `PersonalDataCodec.openSecret`. */
  readonly header?: { readonly name: string; readonly secretId: string };
}

/** Someone at the other end, by what is known of them; a member that nobody told is absent. */
export interface Party extends Partial<BankAccount> {
  readonly name?: string;
  /** CPF or CNPJ, normalised. */
  readonly taxNumber?: string;
}

/** Whom the partner asked to pay. */
export interface Recipient {
  /** `""` when the request named none. */
  readonly name: string;
  /** `""` where a code is paid, and neither it nor the request tell. */
  readonly taxNumber: string;
  readonly key?: PixKey;
  readonly account?: BankAccount;
}

/** Who is expected to pay; only what the request said. */
export interface ExpectedPayer {
  /** `""` when the request named none. */
  readonly name: string;
  readonly taxNumber?: string;
  /** `digit` is `""` where the request gave none apart. Requests of before may have told a type too. */
  readonly account?: PayerAccount & Partial<Pick<BankAccount, 'type'>>;
  readonly validationAccounts?: readonly ValidationAccount[];
}

/** A payment of the rail, without who made it: that is personal and stands beside it. */
export interface PaymentFacts {
  readonly endToEndId: string;
  /** Centavos that were paid. */
  readonly amount: string;
  /** When the rail settled it. */
  readonly settledAt: string;
}

/** How a payout is named to a rail that makes EndToEndIds itself. That rail alone can say what became of it. */
export interface SentAs {
  /** The rail's name. */
  readonly rail: string;
  /** Ours, made of the transaction's id: one payment is made under it. */
  readonly paymentId: string;
}

/** The three methods of contract 4.4, and the copy-and-paste code. */
export type CashOutMethod = 'Key' | 'Account' | 'KeyAndAccount' | 'QrCode';

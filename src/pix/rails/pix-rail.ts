import type { AccountType } from '../../accounts/index.js';
import type { ToldOfPayment } from '../domain/cash-out.decider.js';
import type { MovementKind } from '../domain/events/reconciliation.events.js';
import type { PayerIdentification } from '../domain/payment-fit.js';
import type { BankAccount } from '../domain/values/bank-account.js';
import type { PixKey } from '../domain/values/pix-key.js';

/** Injects the rail of this process: `@Inject(PIX_RAIL) rail: PixRail`. */
export const PIX_RAIL = Symbol('pix rail');

/** A person with an account, as the rail or its directory names them. */
export interface RailParty extends BankAccount {
  readonly name: string;
  /** CPF or CNPJ, normalised. */
  readonly taxNumber: string;
}

/** What DICT says of a key. A member of `owner` that the directory does not tell is absent, and is then not compared. */
export type KeyLookup = { readonly found: false } | { readonly found: true; readonly owner: Partial<RailParty> };

/** A payment to be sent. Everything in it is fixed before the first call, so that it can be repeated word for word. */
export interface PaymentInstruction {
  /**
   * Ours, stored before the first call; the rail carries out one instruction with it, however often it is sent. An
   * EndToEndId, or where the rail makes those itself the transaction's id as `txidOf` writes it.
   */
  readonly paymentId: string;
  /** Centavos. */
  readonly amount: bigint;
  /** The key that was looked up, in the methods with a key. */
  readonly key?: PixKey;
  /** The copy-and-paste code that is paid; it fixes the amount, and pays to `key`. */
  readonly qrCode?: string;
  /** Who is paid: the request's details, completed by what DICT said. */
  readonly payee: Partial<RailParty>;
  readonly payer: RailParty;
  readonly description?: string;
}

/**
 * Where a payment of ours stands.
 * - `Settled`: the payee has the money; `payee` is what the rail tells of them.
 * - `Rejected`: it was not carried out and never will be. `code` is the rail's reason (ISO 20022, `AC07` …).
 * - `Returned`: the receiving bank returned it before completion.
 * - `Pending`: the rail has it; ask again later, or be notified.
 * - `Unknown`: the rail has never seen this identifier; the same instruction may be sent again.
 *
 * `endToEndId`: the rail's, of a rail that makes them itself; told as soon as it is known, and with `Settled` always.
 * `told`: what a notification says beside it, and nobody can look up: it is kept, and decides nothing.
 */
export type PaymentOutcome = { readonly endToEndId?: string; readonly told?: ToldOfPayment } & (
  | { readonly status: 'Settled'; readonly at: Date; readonly payee?: Partial<RailParty> }
  | { readonly status: 'Rejected' | 'Returned'; readonly at: Date; readonly code: string }
  | { readonly status: 'Pending' | 'Unknown' }
);

/** What notifications alone say of a payment that came in: who paid, and what the rail takes for it in centavos. */
export interface ToldOfReceived {
  readonly payer?: Partial<RailParty>;
  readonly fee?: bigint;
}

/** A charge that a payer can pay once, by a dynamic BR Code. */
export interface Charge {
  /** 32 letters and digits; carries the transaction's id (`txidOf`). */
  readonly txid: string;
  /** Where we serve the signed charge, for rails that leave that to us: host and path, no scheme. */
  readonly location: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Whom the charge is addressed to, by what the partner said: name and tax number may each be `''`. */
  readonly debtor: { readonly name: string; readonly taxNumber: string };
  readonly orderId: string;
  /** What the payer reads, `''` for nothing. */
  readonly description: string;
}

/** What leads a payer to a charge. */
export interface ChargeCode {
  /** Where the payer's bank fetches the signed charge: host and path, no scheme. */
  readonly location: string;
  /** The copy-and-paste code, of rails that make it themselves; otherwise it is made of the location. */
  readonly qrCode?: string;
}

/** A payment that came in. */
export interface ReceivedPayment {
  /** The payer's bank's, `E…`: tells payments apart. */
  readonly endToEndId: string;
  /** Of the charge that was paid; `null` for a payment to the key alone. */
  readonly txid: string | null;
  /** Centavos. */
  readonly amount: bigint;
  /** When the rail settled it. */
  readonly at: Date;
  /** Who paid. What the rail does not tell is absent. */
  readonly payer: Partial<RailParty>;
  readonly told?: ToldOfReceived;
}

/** What became of a charge that was to be closed: a payment that came first wins. */
export type ChargeClosing =
  { readonly status: 'Cancelled' } | { readonly status: 'Paid'; readonly payment: ReceivedPayment };

/** Money to be given back to who paid it: a part, or all, of a payment that came in. */
export interface RefundInstruction {
  /** Ours, `D…`; the rail carries out one refund with it, however often it is sent. */
  readonly returnId: string;
  /** EndToEndId of the payment that came in. */
  readonly endToEndId: string;
  /** Centavos. */
  readonly amount: bigint;
  /** The rail's reason: `MD06` asked for by the receiver, `BE08` a payment that does not fit. */
  readonly code: 'MD06' | 'BE08';
}

/** Where a refund of ours stands; as in `PaymentOutcome`. */
export type RefundOutcome =
  | { readonly status: 'Settled'; readonly at: Date }
  | { readonly status: 'Rejected'; readonly at: Date; readonly code: string }
  | { readonly status: 'Pending' | 'Unknown' };

/** Money of a completed cash-out that the payee's bank sent back. */
export interface ReturnedMoney {
  /** The payee's bank's, `D…`: tells returns apart. */
  readonly returnId: string;
  /** EndToEndId of our cash-out. */
  readonly endToEndId: string;
  /** What we named the cash-out by, where that is not its EndToEndId. */
  readonly paymentId?: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly at: Date;
  readonly code: string;
}

/** Something that came in, or the end of a payment of ours, for the sweep. */
export type Received =
  | { readonly kind: 'Payment'; readonly payment: ReceivedPayment }
  | { readonly kind: 'PaymentEnded'; readonly paymentId: string; readonly outcome: PaymentOutcome }
  | { readonly kind: 'ReturnedMoney'; readonly returned: ReturnedMoney };

/**
 * One movement of money at the rail, for reconciliation: payments in and out (`id` is an EndToEndId), what we gave
 * back and what came back to us (`id` is `D…`).
 */
export interface RailMovement {
  readonly kind: MovementKind;
  readonly id: string;
  /** Centavos, above zero. */
  readonly amount: bigint;
  /** When the rail settled it. */
  readonly at: Date;
}

export interface RailPage<T> {
  readonly items: readonly T[];
  /** Where the next page begins; `null` at the end. */
  readonly nextCursor: string | null;
}

/** The rail could not be asked, or did not answer in time: whatever was asked for may have happened or not. */
export class RailUnavailable extends Error {
  override readonly name = 'RailUnavailable';
  /** How long the rail asked to be left alone, in milliseconds. */
  retryAfterMs = 0;
}

/** The rail refused to make a charge, and would refuse it again. */
export class ChargeRefused extends Error {
  override readonly name = 'ChargeRefused';

  /** @param code the rail's own word for the reason */
  constructor(readonly code: string) {
    super(`the rail refused a charge: ${code}`);
  }
}

/** In what rails differ. What a rail cannot do is refused to partners before anything is promised. */
export interface RailCapabilities {
  /** Carries payments out (`lookUpKey`, `send`, `query`). Where not, cash-outs are refused and nothing is held. */
  readonly sends: boolean;
  /** Present where the rail makes EndToEndIds itself, and checks a key's owner while it pays instead of telling it before. */
  readonly namesPayments?: {
    /** Payments to be under way at once, over all processes; they wait in a line that is fair between partners. */
    readonly atOnce: number;
    /** How long one that has not ended keeps the next one waiting, in milliseconds. */
    readonly turnMs: number;
    /** Account types that it pays to. */
    readonly accountTypes: readonly AccountType[];
    /** Pays a code of a charge, whose amount it reads once more by itself. */
    readonly paysCharges: boolean;
  };
  /**
   * What it tells of who paid, or confirms (`isPaidBy`). A cash-in that asks for more to be checked is refused: nobody
   * could check it.
   */
  readonly identifiesPayer: PayerIdentification;
}

/**
 * The way to the outside (DICT and SPI, or what plays them). Every call may be repeated; those that move money are
 * told apart by the identifiers that we mint. All may throw `RailUnavailable`. The rail never joins the ledger's transaction.
 */
export interface PixRail {
  /** How events name it: `rail:<name>`. */
  readonly name: string;
  readonly capabilities: RailCapabilities;
  lookUpKey(key: PixKey): Promise<KeyLookup>;
  /** Hands a payment over. Often `Pending`: the outcome comes by notification, or by `query`. */
  send(instruction: PaymentInstruction): Promise<PaymentOutcome>;
  query(paymentId: string): Promise<PaymentOutcome>;
  /** On the hot path of a cash-in. No payer knows the charge before the ledger has its event. @throws ChargeRefused */
  createCharge(charge: Charge): Promise<ChargeCode>;
  /** Closes a charge, an unknown one too (`Cancelled`). After `Cancelled` it cannot be paid in time any more. */
  cancelCharge(txid: string): Promise<ChargeClosing>;
  /** Of rails that do not tell who paid and find payments by it: whether it was this person. @throws RailUnavailable */
  isPaidBy?(payment: ReceivedPayment, taxNumber: string): Promise<boolean>;
  refund(instruction: RefundInstruction): Promise<RefundOutcome>;
  queryRefund(refund: Pick<RefundInstruction, 'returnId' | 'endToEndId'>): Promise<RefundOutcome>;
  /** What came in from `from` (inclusive) to `to` (exclusive), by the rail's time, oldest first. */
  receivedBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<Received>>;
  /** What can be spent at the rail at this moment, in centavos; of rails that tell it. @throws RailUnavailable */
  balance?(): Promise<bigint>;
  /** Settled movements from `from` (inclusive) to `to` (exclusive), by the rail's time. */
  movementsBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<RailMovement>>;
}

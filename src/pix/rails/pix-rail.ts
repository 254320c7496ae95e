import type { AccountType } from '../../accounts/index.js';
import type { Attempt, Refusals } from '../../event-store/index.js';
import type { PayoutExtras } from '../domain/cash-out.decider.js';
import type { MovementKind } from '../domain/events/reconciliation.events.js';
import type { PayerIdentification } from '../domain/payment-fit.js';
import type { BankAccount } from '../domain/values/bank-account.js';
import type { PixKey } from '../domain/values/pix-key.js';
import type { RailUnavailable } from './rail-errors.js';

/** Injects the rail of this process: `@Inject(PIX_RAIL) rail: PixRail`. */
export const PIX_RAIL = Symbol('pix rail');

/** A person with an account, as the rail or DICT names them. */
export interface RailParty extends BankAccount {
  readonly name: string;
  /** CPF or CNPJ, normalised. */
  readonly taxNumber: string;
}

/** DICT's answer for a key. Members of `owner` that it does not give are absent, and are not compared. */
export type KeyLookup = { readonly found: false } | { readonly found: true; readonly owner: Partial<RailParty> };

/** A payment to send. It is fixed before the first call, so that every attempt sends the same instruction. */
export interface PaymentInstruction {
  /**
   * Ours, stored before the first call; the rail carries out one instruction with it, however often it is sent. An
   * EndToEndId, or where the rail makes those itself what `paymentIdOf` makes.
   */
  readonly paymentId: string;
  /** Centavos. */
  readonly amount: bigint;
  /** The key that was looked up, in the methods with a key. */
  readonly key?: PixKey;
  /** The copy-and-paste code that is paid; it fixes the amount, and pays to `key`. */
  readonly qrCode?: string;
  /** Who is paid: the request's details, completed by DICT's. */
  readonly payee: Partial<RailParty>;
  readonly payer: RailParty;
  readonly description?: string;
}

/**
 * The state of a payment of ours at the rail.
 * - `Settled`: the payee has the money; `payee` is who the rail says that was.
 * - `Rejected`: it failed for good. `code` is the rail's reason (ISO 20022, `AC07` …).
 * - `Returned`: the receiving bank returned it before completion.
 * - `Pending`: the rail has it; query it later, or wait for a notification.
 * - `Unknown`: the rail does not have this identifier; the same instruction may be sent again.
 *
 * `endToEndId`: of a rail that makes it; given as soon as it is known, and always with `Settled`.
 * `extras`: details that only a notification has; they are recorded and decide nothing.
 * `refusals`: the attempt was refused, the last of them, and an earlier one may have been accepted.
 * `returned`: what came back of it, where a look-up tells it: the notification may have come while the ledger had lost
 * the payment.
 */
export type PaymentOutcome = { readonly endToEndId?: string; readonly extras?: PayoutExtras } & (
  | {
      readonly status: 'Settled';
      readonly at: Date;
      readonly payee?: Partial<RailParty>;
      readonly returned?: readonly ReturnedMoney[];
    }
  | { readonly status: 'Rejected' | 'Returned'; readonly at: Date; readonly code: string }
  | { readonly status: 'Pending'; readonly refusals?: Refusals }
  | { readonly status: 'Unknown' }
);

/** Details of a payment in that only notifications have: who paid, and the rail's fee in centavos. */
export interface PaymentInExtras {
  readonly payer?: Partial<RailParty>;
  readonly fee?: bigint;
}

/** A charge that can be paid once, by a dynamic BR Code. */
export interface Charge {
  /** 32 letters and digits; carries the transaction's id (`txidOf`). */
  readonly txid: string;
  /** Where this service serves the signed charge, for rails that do not serve it: host and path, no scheme. */
  readonly location: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The debtor by the partner's request: name and tax number may each be `''`. */
  readonly debtor: { readonly name: string; readonly taxNumber: string };
  readonly orderId: string;
  /** What the payer reads, `''` for nothing. */
  readonly description: string;
}

/** How a payer reaches a charge. */
export interface ChargeCode {
  /** Where the payer's bank fetches the signed charge: host and path, no scheme. */
  readonly location: string;
  /** The copy-and-paste code, of rails that make it themselves; otherwise it is made of the location. */
  readonly qrCode?: string;
}

/** A payment that came in. */
export interface ReceivedPayment {
  /** The payer's bank's, `E…`: identifies the payment. */
  readonly endToEndId: string;
  /** Of the charge that was paid; `null` for a payment to the key alone. */
  readonly txid: string | null;
  /** Centavos. */
  readonly amount: bigint;
  /** When the rail settled it. */
  readonly at: Date;
  /** Who paid. Members that the rail does not give are absent. */
  readonly payer: Partial<RailParty>;
  readonly extras?: PaymentInExtras;
}

/** The result of closing a charge: a payment that came first wins. */
export type ChargeClosing =
  | { readonly status: 'Cancelled' }
  | { readonly status: 'Paid'; readonly payment: ReceivedPayment };

/** A refund of a payment that came in, in part or in full. */
export interface RefundInstruction {
  /** Ours, `D…`; the rail carries out one refund with it, however often it is sent. */
  readonly returnId: string;
  /** EndToEndId of the payment that came in. */
  readonly endToEndId: string;
  /** Centavos. */
  readonly amount: bigint;
  /**
   * The rail's reason: `MD06` asked for by the receiver, `BE08` a payment that does not fit, `FR01` suspected fraud.
   */
  readonly code: 'MD06' | 'BE08' | 'FR01';
}

/** The state of a refund of ours at the rail; as in `PaymentOutcome`. */
export type RefundOutcome =
  | { readonly status: 'Settled'; readonly at: Date }
  | { readonly status: 'Rejected'; readonly at: Date; readonly code: string }
  | { readonly status: 'Pending'; readonly refusals?: Refusals }
  | { readonly status: 'Unknown' };

/** Money of a completed cash-out that the payee's bank returned. */
export interface ReturnedMoney {
  /** The payee's bank's, `D…`: identifies the return. */
  readonly returnId: string;
  /** EndToEndId of our cash-out. */
  readonly endToEndId: string;
  /** The `paymentId` of the cash-out, where that is not its EndToEndId. */
  readonly paymentId?: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly at: Date;
  readonly code: string;
}

/** What a sweep reads: payments and returns that came in, and ends of payments of ours. */
export type Received =
  | { readonly kind: 'Payment'; readonly payment: ReceivedPayment }
  | { readonly kind: 'PaymentEnded'; readonly paymentId: string; readonly outcome: PaymentOutcome }
  | { readonly kind: 'ReturnedMoney'; readonly returned: ReturnedMoney };

/**
 * One movement of money at the rail, for reconciliation: payments in and out (`id` is an EndToEndId), refunds out and
 * in (`id` is `D…`).
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
  /** Why items of the page are not among `items`, though the rail listed them: they are to be asked for again. */
  readonly unread?: readonly RailUnavailable[];
}

/** How rails differ. Requests for what a rail cannot do are refused before anything is held. */
export interface RailCapabilities {
  /** Sends payments (`lookUpKey`, `send`, `query`). Where not, cash-outs are refused and nothing is held. */
  readonly sends: boolean;
  /** Present where the rail makes EndToEndIds itself, and checks a key's owner while it pays, not before. */
  readonly namesPayments?: {
    /** Most payments in flight, over all processes; the others wait in a queue that is fair between partners. */
    readonly concurrency: number;
    /** How long a payment that has not ended keeps its slot, in milliseconds. */
    readonly slotMs: number;
    /** Account types that it can pay to. */
    readonly accountTypes: readonly AccountType[];
    /** Pays codes of charges, whose amount it reads itself. */
    readonly paysCharges: boolean;
  };
  /**
   * Present where its calls share few connections: the most charges that partners make or cancel at once, in a process.
   */
  readonly chargesAtOnce?: { readonly atOnce: number; readonly atOnceOfOne: number };
  /**
   * What it reports of the payer, or confirms (`isPaidBy`). A cash-in that needs more to be checked is refused, as
   * nothing could check it.
   */
  readonly identifiesPayer: PayerIdentification;
  /** For how long `query` and `queryRefund` may not find what it has accepted, in milliseconds; absent: never. */
  readonly lookUpLagMs?: number;
}

/**
 * The port to the rail (DICT and SPI, a PSP, or the sandbox). Every call may be repeated: those that move money are
 * idempotent by identifiers that we mint. All may throw `RailUnavailable`. The rail is never part of the ledger's
 * transaction.
 */
export interface PixRail {
  /** As the setting PIX_RAIL has it. Events name it for ever: `rail:<name>`. */
  readonly name: string;
  /** The operator's name for the account at the PSP, of rails that may lead to several. Events name it for ever. */
  readonly psp?: string;
  readonly capabilities: RailCapabilities;
  lookUpKey(key: PixKey): Promise<KeyLookup>;
  /**
   * Sends a payment. Often `Pending`: the outcome comes by notification, or by `query`.
   * @param attempt the rail may refuse it as a repetition of what it has accepted: `Rejected` only where that cannot be
   */
  send(instruction: PaymentInstruction, attempt: Attempt): Promise<PaymentOutcome>;
  query(paymentId: string): Promise<PaymentOutcome>;
  /**
   * On the hot path of a cash-in. No payer can know the charge before the ledger has its event.
   * @throws ChargeRefused
   */
  createCharge(charge: Charge): Promise<ChargeCode>;
  /** Closes a charge, an unknown one too (`Cancelled`). After `Cancelled` no payment of it is in time. */
  cancelCharge(txid: string): Promise<ChargeClosing>;
  /** For rails that do not report the payer but can search by it: whether this person paid. @throws RailUnavailable */
  isPaidBy?(payment: ReceivedPayment, taxNumber: string): Promise<boolean>;
  /** @param attempt as of `send` */
  refund(instruction: RefundInstruction, attempt: Attempt): Promise<RefundOutcome>;
  queryRefund(refund: Pick<RefundInstruction, 'returnId' | 'endToEndId'>): Promise<RefundOutcome>;
  /** What was received from `from` (inclusive) to `to` (exclusive), by the rail's time, oldest first. */
  receivedBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<Received>>;
  /** The available balance at the rail, in centavos; for rails that give it. @throws RailUnavailable */
  balance?(): Promise<bigint>;
  /** Settled movements from `from` (inclusive) to `to` (exclusive), by the rail's time. */
  movementsBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<RailMovement>>;
}

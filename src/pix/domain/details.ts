import type { CountedBy, StoredTerms, Transaction } from '../../accounts/index.js';
import type { Sealed } from '../../event-store/index.js';
import type {
  CashOutMethod,
  ExpectedPayer,
  HeldReturnCode,
  Party,
  Recipient,
  SentAs,
  SentOver,
  WebhookTarget,
} from './events/shared.js';

/** `details` of a transaction of type `CashOut`. */
export interface CashOutDetails {
  readonly method: CashOutMethod;
  readonly orderDescription?: Sealed<string>;
  readonly recipient: Sealed<Recipient>;
  /** Present where the key was not compared with the account, which is paid. */
  readonly keyChecked?: false;
  /** The copy-and-paste code that is paid, where it fixes the amount. */
  readonly qrCode?: Sealed<string>;
  /** Absent where the request named none. */
  readonly webhook?: WebhookTarget;
  /** The payout file that it is a line of. */
  readonly payoutFile?: string;
  /** Present where the rail makes EndToEndIds itself. */
  readonly sentAs?: SentAs;
  /** Who was paid, by DICT and the rail; from then on the party of notifications and receipts. */
  readonly payee?: Sealed<Party>;
  /** Set by the completing event: the unguessable part of the receipt's address. */
  readonly receiptToken?: string;
  /** When the rail settled it, ISO. */
  readonly settledAt?: string;
  /** Why it failed, where the rail reported it after the end; `errorReason` stays as it was. */
  readonly reasonTold?: string;
  /** The rail's fee, centavos. */
  readonly feeTold?: string;
  /** Which limits it counts against, beside those of all payouts. */
  readonly countedBy?: CountedBy;
  /** Of a payout that is, or was, scheduled. */
  readonly schedule?: StoredTerms;
  /** Of such a payout: the position of the event that accepted it. */
  readonly registeredPosition?: string;
  /** Centavos that the payee's bank has returned. */
  readonly refunded: string;
}

/** `details` of a transaction of type `CashIn`. */
export interface CashInDetails {
  readonly orderDescription?: Sealed<string>;
  /** Absent where the request names no payer. */
  readonly expectedPayer?: Sealed<ExpectedPayer>;
  readonly webhook: WebhookTarget;
  /** The copy-and-paste code. */
  readonly qrCode: string;
  /** Where the payer's bank fetches the charge: host and path, no scheme. */
  readonly location: string;
  /** ISO. */
  readonly expiresAt: string;
  /** Who paid, by the rail; from then on the party of notifications and receipts. */
  readonly payer?: Sealed<Party>;
  /** Who paid, by the rail's notification only: it decides nothing. */
  readonly payerTold?: Sealed<Party>;
  /** The rail's fee, centavos. */
  readonly feeTold?: string;
  readonly receiptToken?: string;
  /** When the rail settled the payment, ISO. */
  readonly settledAt?: string;
  /** Centavos that were refunded, pending refunds included. */
  readonly refunded: string;
  /** Where a rule blocked the credit on its arrival: until then at most, ISO. */
  readonly hold?: { readonly id: string; readonly expiresAt: string };
}

/** `details` of a transaction of type `Refund`; its `endToEndId` is the return's identifier, `D…`. */
export interface RefundDetails {
  /** `Out`: the partner refunds a cash-in. `In`: the payee's bank returned money of a cash-out. */
  readonly direction: 'Out' | 'In';
  /** Going out: the rail that is to make it. Absent in earlier events. */
  readonly sentOver?: SentOver;
  /** EndToEndId of the payment that it refunds. */
  readonly originalEndToEndId: string;
  readonly reason?: Sealed<string>;
  /** Where blocked money goes back: its hold, and the reason that the rail is given. */
  readonly holdId?: string;
  readonly code?: HeldReturnCode;
  /** The report that asks for it (MED). */
  readonly infractionId?: string;
  /** Order, party and address are the parent's. */
  readonly orderDescription?: Sealed<string>;
  readonly party?: Sealed<Party>;
  /** Absent where the parent's request named none. */
  readonly webhook?: WebhookTarget;
  readonly receiptToken?: string;
  readonly settledAt?: string;
}

/** The details of a Pix transaction. The caller knows the transaction's type. */
export function detailsOf<D extends CashOutDetails | CashInDetails | RefundDetails>(transaction: Transaction): D {
  return transaction.details as unknown as D;
}

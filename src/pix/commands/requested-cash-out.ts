import type { LaterTerms } from '../../accounts/index.js';
import type { RequestedTerms } from '../code-reading/code-payment.js';
import type { CashOutMethod, Recipient } from '../domain/events/shared.js';
import type { ParsedBrCode } from '../domain/values/br-code.js';
import type { RequestedWebhook } from '../dto/webhook.js';

/** To a key, to an account, or to both. */
export interface ToRecipient {
  readonly method: Exclude<CashOutMethod, 'QrCode'>;
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly recipient: Recipient;
}

/** A payment of a code; what the partner requests beside it must agree with the code. */
export interface ByCode {
  readonly method: 'QrCode';
  readonly qrCode: string;
  readonly code: ParsedBrCode;
  readonly requested: RequestedTerms;
}

/** What is paid, and to whom: as requested, or as code and request agree. */
export type Payment = Pick<ToRecipient, 'amount' | 'recipient'> & {
  /** Sent to the rail instead of a key. */
  readonly qrCode?: string;
};

/** A requested cash-out, every value normalised. */
export interface RequestedCashOut {
  readonly payment: ToRecipient | ByCode;
  readonly orderId: string;
  readonly orderDescription: string | undefined;
  /** Absent for a line of a payout file that names no address. */
  readonly webhook?: RequestedWebhook;
  /** Of one that is not made now. */
  readonly later?: LaterTerms;
}

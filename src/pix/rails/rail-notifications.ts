import type { PaymentOutcome, ReceivedPayment, RefundOutcome, ReturnedMoney } from './pix-rail.js';

/** Injects who is told what happened at the rail: `@Inject(RAIL_NOTIFICATIONS) notifications: RailNotifications`. */
export const RAIL_NOTIFICATIONS = Symbol('rail notifications');

/**
 * What the ledger made of a notification.
 * - `Applied`: it changed something.
 * - `Ignored`: a duplicate, or too late: nothing changed.
 * - `Unmatched`: it belongs to nothing of ours.
 */
export type NotificationResult = 'Applied' | 'Ignored' | 'Unmatched';

/** What became of a payment that came in: kept, or on its way back to the payer. A repetition gives the same answer. */
export type PaymentDisposition = 'Credited' | 'Returned' | 'Unmatched';

/**
 * What a rail tells us, as it happens. Every method may be called again with the same news, late, or out of order. When
 * one throws, the news is not lost: the sweep or the next query finds it.
 */
export interface RailNotifications {
  paymentReceived(payment: ReceivedPayment): Promise<PaymentDisposition>;
  /** The rail says of an unpaid charge that its payment failed, or was returned before it was completed: `Error`, `Reversed`. */
  chargeChanged(
    txid: string,
    outcome: { readonly status: 'Rejected' | 'Returned'; readonly code: string },
  ): Promise<NotificationResult>;
  cashOutChanged(paymentId: string, outcome: PaymentOutcome): Promise<NotificationResult>;
  refundChanged(returnId: string, outcome: RefundOutcome): Promise<NotificationResult>;
  moneyReturned(returned: ReturnedMoney): Promise<NotificationResult>;
}

import type { PaymentOutcome, ReceivedPayment, RefundOutcome, ReturnedMoney } from './pix-rail.js';

/** Injects the receiver of the rail's notifications: `@Inject(RAIL_NOTIFICATIONS) notifications: RailNotifications`. */
export const RAIL_NOTIFICATIONS = Symbol('rail notifications');

/**
 * The effect of a notification.
 * - `Applied`: events were appended.
 * - `Ignored`: a duplicate, or too late: nothing changed.
 * - `Unmatched`: no transaction of ours matches it.
 */
export type NotificationResult = 'Applied' | 'Ignored' | 'Unmatched';

/**
 * What was decided on a payment that came in: credited, to be returned, or unmatched. A repetition gives the same
 * answer.
 */
export type PaymentDisposition = 'Credited' | 'Returned' | 'Unmatched';

/**
 * Notifications of a rail. Each may come again, late, or out of order. When a method throws, the notification is not
 * lost: the sweep or the next query finds the same.
 */
export interface RailNotifications {
  paymentReceived(payment: ReceivedPayment): Promise<PaymentDisposition>;
  /** The payment of a charge failed, or was returned before completion: `Error`, `Reversed`. */
  chargeChanged(
    txid: string,
    outcome: { readonly status: 'Rejected' | 'Returned'; readonly code: string },
  ): Promise<NotificationResult>;
  cashOutChanged(paymentId: string, outcome: PaymentOutcome): Promise<NotificationResult>;
  /** @param endToEndId of the payment with which the rail lists the refund, where it does */
  refundChanged(returnId: string, outcome: RefundOutcome, endToEndId?: string): Promise<NotificationResult>;
  moneyReturned(returned: ReturnedMoney): Promise<NotificationResult>;
}

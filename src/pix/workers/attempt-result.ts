import type { WorkResult } from '../../event-store/index.js';
import { backoff } from '../rails/backoff.js';
import type { PaymentOutcome, RefundOutcome } from '../rails/pix-rail.js';
import type { NotificationResult } from '../rails/rail-notifications.js';

/** The result of an attempt after which a payment or refund is still open; `undefined` where it has ended. */
export function stillOpen(outcome: PaymentOutcome | RefundOutcome, attempts: number) {
  if (outcome.status === 'Unknown') return backoff(attempts);
  if (outcome.status !== 'Pending') return undefined;
  const { refusals } = outcome;
  return { ...backoff(attempts), ...(refusals && { refusals }) };
}

/**
 * The result of an attempt whose outcome was recorded. Where that changed nothing the row said that the payment has
 * ended already: the next attempt asks its events, as somebody may have changed the row.
 */
export function resultOfAttempt(
  outcome: PaymentOutcome | RefundOutcome,
  recorded: NotificationResult,
  attempts: number,
): WorkResult {
  return stillOpen(outcome, attempts) ?? (recorded === 'Ignored' ? backoff(attempts) : 'done');
}

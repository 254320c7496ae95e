import type { WorkResult } from '../../event-store/index.js';
import type { PaymentOutcome, RefundOutcome } from './pix-rail.js';
import type { NotificationResult } from './rail-notifications.js';

const BACKOFF_S = [1, 2, 5, 10, 30, 60];

/** When to ask the rail again: backoff up to a minute, without an end, as no payment may stay open for ever. */
export function backoff(attempts: number): { readonly retryAt: Date } {
  const pause = BACKOFF_S[Math.min(attempts, BACKOFF_S.length) - 1] ?? BACKOFF_S[0]!;
  return { retryAt: new Date(Date.now() + pause * 1000) };
}

/** The result of an attempt after which a payment or refund is still open; `undefined` where it has ended. */
export function stillOpen(outcome: PaymentOutcome | RefundOutcome, attempts: number) {
  if (outcome.status === 'Unknown') return backoff(attempts);
  if (outcome.status !== 'Pending') return undefined;
  const { refusals } = outcome;
  return { ...backoff(attempts), ...(refusals && { refusals }) };
}

/**
 * The result of an attempt whose outcome was recorded. Where that changed nothing the row said that the payment has ended
 * already: the next attempt asks its events, as somebody may have changed the row.
 */
export function resultOfAttempt(
  outcome: PaymentOutcome | RefundOutcome,
  recorded: NotificationResult,
  attempts: number,
): WorkResult {
  return stillOpen(outcome, attempts) ?? (recorded === 'Ignored' ? backoff(attempts) : 'done');
}

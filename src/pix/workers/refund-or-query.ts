import type { Attempt } from '../../event-store/index.js';
import type { PixRail, RefundInstruction, RefundOutcome } from '../rails/pix-rail.js';

/**
 * Sends a refund; from the second attempt on the rail is queried first. A rail that does not know the refund gets the
 * same instruction again, but not from an attempt whose lease may be over: another one may have ended the refund.
 * @throws RailUnavailable
 */
export async function refundOrQuery(
  rail: PixRail,
  instruction: RefundInstruction,
  attempt: Attempt,
): Promise<RefundOutcome> {
  const known: RefundOutcome = attempt.attempts === 1 ? { status: 'Unknown' } : await rail.queryRefund(instruction);
  if (known.status !== 'Unknown') return known;
  return attempt.lease.isCertain ? rail.refund(instruction, attempt) : { status: 'Pending' };
}

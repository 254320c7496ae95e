import type { Attempt } from '../../event-store/index.js';
import type { SentOver } from '../domain/events/shared.js';
import type { PixRail, RefundInstruction, RefundOutcome } from '../rails/pix-rail.js';
import { isSentOver } from '../rails/rail-name.js';
import { OfAnotherRail } from '../rails/rail-errors.js';

/**
 * Sends a refund; from the second attempt on the rail is queried first. A rail that does not know the refund gets the
 * same instruction again, but not from an attempt whose lease may be over: another one may have ended the refund.
 * @param begunOver the rail that may have it already; earlier events do not say
 * @throws RailUnavailable; OfAnotherRail for a refund of one: this one would refuse what the other one has paid
 */
export async function refundOrQuery(
  rail: PixRail,
  instruction: RefundInstruction,
  begunOver: SentOver | undefined,
  attempt: Attempt,
): Promise<RefundOutcome> {
  if (begunOver && !isSentOver(rail, begunOver)) {
    throw new OfAnotherRail(instruction.returnId);
  }
  const known: RefundOutcome = attempt.attempts === 1 ? { status: 'Unknown' } : await rail.queryRefund(instruction);
  if (known.status !== 'Unknown') return known;
  return attempt.lease.isCertain ? rail.refund(instruction, attempt) : { status: 'Pending' };
}

import type { Attempt } from '../../event-store/index.js';
import type { SentOver } from '../domain/events/shared.js';
import {
  isSentOver,
  type PixRail,
  RailUnavailable,
  type RefundInstruction,
  type RefundOutcome,
} from '../rails/pix-rail.js';

/**
 * Sends a refund; from the second attempt on the rail is queried first. A rail that does not know the refund gets the
 * same instruction again, but not from an attempt whose lease may be over: another one may have ended the refund.
 * @param begunOver the rail that may have it already; earlier events do not say
 * @throws RailUnavailable, for a refund of another rail or PSP too: this one would refuse what the other one has paid
 */
export async function refundOrQuery(
  rail: PixRail,
  instruction: RefundInstruction,
  begunOver: SentOver | undefined,
  attempt: Attempt,
): Promise<RefundOutcome> {
  if (begunOver && !isSentOver(rail, begunOver)) {
    throw new RailUnavailable(`${instruction.returnId} was begun over another rail, which alone can end it`);
  }
  const known: RefundOutcome = attempt.attempts === 1 ? { status: 'Unknown' } : await rail.queryRefund(instruction);
  if (known.status !== 'Unknown') return known;
  return attempt.lease.isCertain ? rail.refund(instruction, attempt) : { status: 'Pending' };
}

import type { PixRail, RefundInstruction, RefundOutcome } from '../rails/pix-rail.js';

/**
 * Gives money back, or asks what became of it when it was begun before. A rail that knows nothing of it gets the same
 * instruction again. @throws RailUnavailable
 */
export async function refundOrAsk(
  rail: PixRail,
  instruction: RefundInstruction,
  attempts: number,
): Promise<RefundOutcome> {
  const known: RefundOutcome = attempts === 1 ? { status: 'Unknown' } : await rail.queryRefund(instruction);
  return known.status === 'Unknown' ? rail.refund(instruction) : known;
}

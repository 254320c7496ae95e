import { blockedBy, type Movement } from '../../accounts/index.js';
import type { NewEvent } from '../../event-store/index.js';
import { completeHeldReturn, type OwnReturn, refundable, returnHeldDeposit } from '../../pix/index.js';
import { heldReturn, type RunningCase } from './advance-infraction.js';
import { next, of } from './infraction.decider.js';
import { MedReturnRegistered } from './infraction.events.js';

/**
 * A return that the rail made by itself: it is registered and completed in one commit, as nobody is to be asked for it.
 * What the case does not block cannot be booked against it: reconciliation has it, for an operator.
 */
export function recordOwnReturn(
  state: RunningCase & { readonly settlement: Movement['account'] },
  made: OwnReturn & { readonly refundId: string; readonly receiptToken: string },
  at: Date,
): readonly NewEvent[] {
  const { infraction, account, hold, deposit, settlement } = state;
  const { amount, returnId, refundId } = made;
  const open = infraction.status === 'Agreed' ? infraction.agreed! - infraction.returned - infraction.pending : 0n;
  if (!hold || amount > open || amount > blockedBy(hold) || amount > refundable(deposit)) return [];
  const request = { ...heldReturn(infraction, hold), id: refundId, returnId, amount };
  return [
    ...returnHeldDeposit(deposit, { account, hold }, request, at),
    MedReturnRegistered.create(...next(infraction), {
      ...of(infraction, account.partnerUid),
      refundId,
      returnId,
      amount: amount.toString(),
    }),
    ...completeHeldReturn(deposit, { account, settlement }, request, made),
  ];
}

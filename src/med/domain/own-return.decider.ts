import { blockedBy, type Movement } from '../../accounts/index.js';
import type { NewEvent } from '../../event-store/index.js';
import { completeHeldReturn, type OwnReturn, refundable, returnHeldDeposit } from '../../pix/index.js';
import { smaller } from '../../platform/money.js';
import { heldReturn, type RunningCase } from './advance-infraction.js';
import { lastReturnOf } from './deadlines.js';
import { RefundUnderWay } from './errors.js';
import { decideInfraction, next, of } from './infraction.decider.js';
import { MedReturnRegistered } from './infraction.events.js';
import { isUndecided } from './infraction.js';

/**
 * A return that the rail made by itself: it is registered and completed in one commit, as nobody is to be asked for it.
 * One that the case does not cover waits for later credits, since the rail's identifier is booked once. When the ninety
 * days end, or the report is taken back, it is booked as far as it is covered: what is blocked is not released to who
 * was reported. Reconciliation has the rest, for an operator. A refund of the deposit that is under way may yet fail,
 * and leave what the rail gave back: its end is waited for then.
 * @throws RefundUnderWay
 */
export function recordOwnReturn(
  state: RunningCase & { readonly settlement: Movement['account']; readonly left: bigint },
  made: OwnReturn & { readonly refundId: string; readonly receiptToken: string; readonly isLast: boolean },
  at: Date,
): readonly NewEvent[] {
  const { infraction, account, hold, deposit, settlement, left } = state;
  const { returnId, refundId } = made;
  // The rail gave money back: it had agreed, though nobody was told.
  const agreed = made.isLast && isUndecided(infraction) ? decideInfraction(state, { result: 'Agreed' }, at) : [];
  if (!hold || (infraction.status !== 'Agreed' && agreed.length === 0)) return [];
  const open = (infraction.agreed ?? infraction.amount) - infraction.returned - infraction.pending;
  const asked = smaller(open, blockedBy(hold));
  const covered = smaller(asked, refundable(deposit));
  const isLast = made.isLast || at >= lastReturnOf(infraction);
  if (isLast && smaller(made.amount, smaller(asked, left)) > covered) throw new RefundUnderWay();
  if (covered <= 0n || (made.amount > covered && !isLast)) return [];
  const amount = smaller(made.amount, covered);
  const request = { ...heldReturn(infraction, hold), id: refundId, returnId, amount };
  return [
    ...agreed,
    ...returnHeldDeposit(deposit, { account, hold }, request, at),
    MedReturnRegistered.create(...next(infraction, 1 + agreed.length), {
      ...of(infraction, account.partnerUid),
      refundId,
      returnId,
      amount: amount.toString(),
    }),
    ...completeHeldReturn(deposit, { account, settlement }, request, made),
  ];
}

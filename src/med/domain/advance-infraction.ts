import { blockedBy, type Hold, releaseHold, type Transaction } from '../../accounts/index.js';
import type { NewEvent } from '../../event-store/index.js';
import { refundable, returnHeldDeposit } from '../../pix/index.js';
import { type CaseState, next, of, released } from './infraction.decider.js';
import {
  InfractionClosed,
  type InfractionEnding,
  InfractionOverdue,
  MedReturnRegistered,
} from './infraction.events.js';
import { type Infraction, isUndecided } from './infraction.js';

/** A case that time, or money that came in, may move on. */
export interface RunningCase extends CaseState {
  readonly deposit: Transaction;
}

/** Identifiers of the next return, minted before it is decided. */
export interface NewReturn {
  readonly refundId: string;
  readonly returnId: string;
}

/**
 * The next step of a case, if there is one now: one movement of money at most, so it is asked again until there is none.
 * An analysis that is late stays open, and its money blocked: only a decision, or the end of the ninety days, moves it.
 * @param returns whether this service makes the returns: not where the rail makes them itself
 */
export function advanceInfraction(
  state: RunningCase,
  made: NewReturn,
  at: Date,
  returns: boolean,
): readonly NewEvent[] {
  const { infraction, account } = state;
  if (isUndecided(infraction)) {
    if (at >= infraction.returnUntil) return close(state, 'PeriodEnded', at);
    if (infraction.overdue || at < infraction.decideUntil) return [];
    return [InfractionOverdue.create(...next(infraction), of(infraction, account.partnerUid))];
  }
  // A return that the rail refused after the case had ended.
  if (infraction.status !== 'Agreed') return infraction.pending === 0n ? released(state, at) : [];
  return moveMoney(state, made, at, returns);
}

function moveMoney(state: RunningCase, made: NewReturn, at: Date, returns: boolean): readonly NewEvent[] {
  const { infraction, account, deposit } = state;
  const hold = state.hold!;
  if (infraction.pending > 0n) return [];
  const wanted = wantedOf(infraction, deposit);
  if (wanted === 0n) return close(state, infraction.returned === infraction.agreed ? 'Returned' : 'NothingLeft', at);
  if (at >= infraction.returnUntil) return close(state, 'PeriodEnded', at);
  if (hold.status === 'Closed') return close(state, 'NothingLeft', at);
  const blocked = blockedBy(hold);
  // What was blocked beyond what was agreed on.
  if (blocked > wanted) return releaseHold({ account, hold }, hold.id, blocked - wanted, at);
  if (!returns || blocked === 0n || isPaused(infraction, at)) return [];
  const { refundId, returnId } = made;
  const request = { ...heldReturn(infraction, hold), id: refundId, returnId, amount: blocked };
  return [
    ...returnHeldDeposit(deposit, { account, hold }, request, at),
    MedReturnRegistered.create(...next(infraction), {
      ...of(infraction, account.partnerUid),
      refundId,
      returnId,
      amount: blocked.toString(),
    }),
  ];
}

/** What a return of a case says beside its amount: fraud is why. */
export function heldReturn({ id }: Infraction, hold: Hold) {
  return { holdId: hold.id, code: 'FR01' as const, infractionId: id };
}

/** What is still to go back: of what was agreed on, and of what the partner did not give back already. */
function wantedOf({ agreed, returned, pending }: Infraction, deposit: Transaction): bigint {
  const open = agreed! - returned - pending;
  const left = refundable(deposit);
  return open < left ? open : left;
}

function close(state: CaseState, ending: InfractionEnding, at: Date): readonly NewEvent[] {
  const { infraction, account } = state;
  const closed = InfractionClosed.create(...next(infraction), { ...of(infraction, account.partnerUid), ending });
  return [closed, ...released(state, at)];
}

function isPaused({ pauseUntil }: Infraction, at: Date): boolean {
  return pauseUntil !== null && at < pauseUntil;
}

/**
 * When time alone moves a case on; `undefined` once it has ended. Between deadlines an agreed case is moved by what fills
 * its hold, or by its return's end.
 */
export function nextDeadline(infraction: Infraction, hold: Hold | undefined, at: Date): Date | undefined {
  const { decideUntil, returnUntil, overdue, pauseUntil } = infraction;
  if (isUndecided(infraction)) return overdue ? returnUntil : earlier(decideUntil, returnUntil);
  if (infraction.status !== 'Agreed') return infraction.pending > 0n || (hold && blockedBy(hold) > 0n) ? at : undefined;
  return pauseUntil !== null && pauseUntil > at ? earlier(pauseUntil, returnUntil) : returnUntil;
}

const earlier = (one: Date, other: Date) => (one < other ? one : other);

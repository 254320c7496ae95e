import { blockedBy, type Hold, releaseHold, type Transaction } from '../../accounts/index.js';
import type { NewEvent } from '../../event-store/index.js';
import { type NewReturn, refundable, returnHeldDeposit } from '../../pix/index.js';
import { smaller } from '../../platform/money.js';
import { after, earlier, lastReturnOf } from './deadlines.js';
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

export interface AdvancedCase extends RunningCase {
  /** What completed refunds leave of the deposit. */
  readonly left: bigint;
  /** When the rail was asked for what it gave back by itself. */
  readonly askedAt: Date;
}

/** The next return, as minted before it is decided. */
export interface NextReturn extends NewReturn {
  readonly refundId: string;
}

/**
 * The next step of a case, if there is one now: one movement of money at most, so it is asked again until there is
 * none. An analysis that is late stays open, and its money blocked: only a decision, the end of the ninety days, or a
 * refund of the deposit that is completed, moves it.
 * @param returns whether this service makes the returns: not where the rail makes them itself
 */
export function advanceInfraction(
  state: AdvancedCase,
  made: NextReturn,
  at: Date,
  returns: boolean,
): readonly NewEvent[] {
  const { infraction, account } = state;
  if (isUndecided(infraction)) {
    if (at >= infraction.returnUntil) return endPeriod(state, at);
    if (infraction.overdue || at < infraction.decideUntil) return letGo(state, at);
    return [InfractionOverdue.create(...next(infraction), of(infraction, account.partnerUid))];
  }
  // A return that the rail refused after the case had ended.
  if (infraction.status !== 'Agreed') return infraction.pending === 0n ? released(state, at) : [];
  return moveMoney(state, made, at, returns);
}

function moveMoney(state: AdvancedCase, made: NextReturn, at: Date, returns: boolean): readonly NewEvent[] {
  const { infraction, deposit } = state;
  const hold = state.hold!;
  if (infraction.pending > 0n) return [];
  const gone = letGo(state, at);
  if (gone.length > 0) return gone;
  if (at >= infraction.returnUntil) return endPeriod(state, at);
  if (hold.status === 'Closed') return close(state, 'NothingLeft', at);
  // A refund that is pending may take the rest, and may leave it.
  const amount = smaller(blockedBy(hold), refundable(deposit));
  if (!returns || amount === 0n || isPaused(infraction, at)) return [];
  return giveBack(state, hold, { ...made, amount }, at);
}

/** The ninety days are over: it waits until the rail was asked for the last that it gave back by itself. */
function endPeriod(state: AdvancedCase, at: Date): readonly NewEvent[] {
  return state.askedAt >= state.infraction.returnUntil ? close(state, 'PeriodEnded', at) : [];
}

/** The end of a case that wants nothing more; else what is blocked beyond what it wants is available again. */
function letGo(state: AdvancedCase, at: Date): readonly NewEvent[] {
  const { infraction, account, hold } = state;
  const wanted = wantedOf(state);
  if (wanted === 0n) return close(state, infraction.returned === infraction.agreed ? 'Returned' : 'NothingLeft', at);
  const blocked = hold ? blockedBy(hold) : 0n;
  return blocked > wanted ? releaseHold({ account, hold }, hold!.id, blocked - wanted, at) : [];
}

function giveBack(
  { infraction, account, deposit }: AdvancedCase,
  hold: Hold,
  { refundId, returnId, sentOver, amount }: NextReturn & { readonly amount: bigint },
  at: Date,
): readonly NewEvent[] {
  const request = { ...heldReturn(infraction, hold), id: refundId, returnId, sentOver, amount };
  return [
    ...returnHeldDeposit(deposit, { account, hold }, request, at),
    MedReturnRegistered.create(...next(infraction), {
      ...of(infraction, account.partnerUid),
      refundId,
      returnId,
      amount: amount.toString(),
    }),
  ];
}

/** What a return of a case says beside its amount: fraud is why. */
export function heldReturn({ id }: Infraction, hold: Hold) {
  return { holdId: hold.id, code: 'FR01' as const, infractionId: id };
}

/** What is still to go back: of what is asked for or agreed on, and of what completed refunds leave. */
function wantedOf({ infraction: { amount, agreed, returned }, left }: AdvancedCase): bigint {
  return smaller((agreed ?? amount) - returned, left);
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
 * When a case is looked at next; `undefined` once it has ended. At a deadline, and every day until then: what fills a
 * hold, and what ends a return, wakes its case by a hint that may be lost. An hour before the end once more, as nothing
 * is returned at the end itself.
 */
export function nextDeadline(infraction: Infraction, hold: Hold | undefined, at: Date): Date | undefined {
  const { status, pending, decideUntil, returnUntil, overdue, pauseUntil } = infraction;
  const isOpen = isUndecided(infraction);
  if (!isOpen && status !== 'Agreed') return pending > 0n || (hold && blockedBy(hold) > 0n) ? at : undefined;
  const moments = [returnUntil, after(at, 1)];
  if (isOpen && !overdue) moments.push(decideUntil);
  for (const one of [pauseUntil, lastReturnOf(infraction)]) if (one && one > at) moments.push(one);
  return moments.reduce(earlier);
}

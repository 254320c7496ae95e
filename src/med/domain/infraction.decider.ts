import {
  type Account,
  balancesAfter,
  blockedBy,
  type Hold,
  placeHold,
  type Posting,
  releaseHold,
  type Transaction,
} from '../../accounts/index.js';
import type { NewEvent, Personal } from '../../event-store/index.js';
import type { ReportedInfraction, SentOver } from '../../pix/index.js';
import { smaller } from '../../platform/money.js';
import { after, DECISION_DAYS, DEFENCE_DAYS, earlier, RETURN_DAYS } from './deadlines.js';
import { DefenceNotPossible, InfractionIsDecided, ReturnExceedsReport } from './errors.js';
import {
  type Defence,
  InfractionAgreed,
  InfractionAnswered,
  InfractionCancelled,
  InfractionClosed,
  InfractionDefended,
  InfractionRejected,
  InfractionReported,
} from './infraction.events.js';
import { type Infraction, isRunning, isUndecided, streamOfInfraction } from './infraction.js';

/** A case with its account and its hold, as they are when something is decided. */
export interface CaseState {
  readonly infraction: Infraction;
  readonly account: Account;
  readonly hold: Hold | undefined;
}

/** A deposit that is reported. */
export interface Contested {
  readonly deposit: Transaction;
  readonly account: Account;
  /** What a rule blocked of it on its arrival, if one did. */
  readonly caution: Hold | undefined;
  /** What completed refunds leave of it. */
  readonly left: bigint;
}

export interface NewCase {
  readonly id: string;
  readonly holdId: string;
  readonly reportedOver: SentOver;
  readonly details?: Personal<string>;
}

/**
 * A report opens a case and blocks what is there of its amount, in one commit; later credits fill the hold. Whatever
 * was given back of the deposit before is not asked for again; a refund that is pending gave nothing back yet. Where a
 * rule still blocks the deposit, that money is taken first: its hold passes on as much as is asked for.
 */
export function reportInfraction(
  contested: Contested,
  told: ReportedInfraction,
  { id, holdId, reportedOver, details }: NewCase,
  at: Date,
): readonly NewEvent[] {
  const { deposit, account, left } = contested;
  const returnUntil = after(new Date(deposit.stateDates.Completed!), RETURN_DAYS);
  const decideUntil = told.decideUntil ?? after(at, DECISION_DAYS);
  const defenceUntil = earlier(after(at, DEFENCE_DAYS), decideUntil);
  const amount = smaller(told.amount, left);
  const holds = amount > 0n && returnUntil > at;
  const common = { id, partnerUid: account.partnerUid, accountUid: account.uid, transactionId: deposit.id };
  const reported = InfractionReported.create(streamOfInfraction(id), 1, {
    ...common,
    endToEndId: told.endToEndId,
    ...reportedOver,
    railId: told.railId,
    reason: told.reason,
    ...(details && { details }),
    amount: amount.toString(),
    ...(holds && { holdId }),
    reportedAt: told.reportedAt.toISOString(),
    defenceUntil: defenceUntil.toISOString(),
    decideUntil: decideUntil.toISOString(),
    returnUntil: returnUntil.toISOString(),
  });
  if (!holds) {
    const ending = amount > 0n ? 'PeriodEnded' : 'NothingLeft';
    return [reported, InfractionClosed.create(streamOfInfraction(id), 2, { ...common, ending })];
  }
  const order = { id: holdId, amount, cause: 'Med' as const, reference: id, retryUntil: returnUntil };
  const passedOn = takenFromCaution(contested, amount, at);
  const postings = passedOn.flatMap(({ data }) => (data as { postings: readonly Posting[] }).postings);
  return [reported, ...passedOn, ...placeHold({ ...account, ...balancesAfter(account, postings) }, order, at)];
}

function takenFromCaution({ account, caution: hold }: Contested, wanted: bigint, at: Date): readonly NewEvent[] {
  if (hold?.status !== 'Open') return [];
  return releaseHold({ account, hold }, hold.id, smaller(blockedBy(hold), wanted), at);
}

/** @throws DefenceNotPossible, InfractionIsDecided */
export function defendInfraction(infraction: Infraction, partnerUid: string, defence: Personal<Defence>, at: Date) {
  if (infraction.status === 'Defended') throw new DefenceNotPossible('Given');
  if (infraction.status !== 'Open') throw new InfractionIsDecided(infraction.status);
  if (at > infraction.defenceUntil) throw new DefenceNotPossible('Late');
  return [InfractionDefended.create(...next(infraction), { ...of(infraction, partnerUid), defence })];
}

export interface Decision {
  readonly result: 'Agreed' | 'Rejected';
  /** Centavos; absent: all that is asked for. */
  readonly amount?: bigint;
  readonly note?: Personal<string>;
}

/** @throws InfractionIsDecided, ReturnExceedsReport */
export function decideInfraction(state: CaseState, { result, amount, note }: Decision, at: Date): readonly NewEvent[] {
  const { infraction, account } = state;
  if (!isUndecided(infraction)) throw new InfractionIsDecided(infraction.status);
  const common = { ...of(infraction, account.partnerUid), ...(note && { note }) };
  if (result === 'Rejected') {
    return [InfractionRejected.create(...next(infraction), common), ...released(state, at)];
  }
  const agreed = amount ?? infraction.amount;
  if (agreed > infraction.amount) throw new ReturnExceedsReport(infraction.amount);
  return [InfractionAgreed.create(...next(infraction), { ...common, amount: agreed.toString() })];
}

/**
 * Takes a report back: nothing that is back at the payer comes again, and a return that is under way ends by itself.
 */
export function cancelInfraction(state: CaseState, at: Date): readonly NewEvent[] {
  const { infraction, account } = state;
  if (!isRunning(infraction)) return [];
  const cancelled = InfractionCancelled.create(...next(infraction), of(infraction, account.partnerUid));
  return [cancelled, ...released(state, at)];
}

export function answerInfraction(infraction: Infraction, partnerUid: string, answer: 'Defence' | 'Decision') {
  return [InfractionAnswered.create(...next(infraction), { ...of(infraction, partnerUid), with: answer })];
}

/** All that a case still blocks is available again, and its hold ends. */
export function released({ account, hold }: CaseState, at: Date): readonly NewEvent[] {
  if (!hold || (hold.status === 'Closed' && blockedBy(hold) === 0n)) return [];
  return releaseHold({ account, hold }, hold.id, undefined, at);
}

/** Where the next event of a case stands. */
export function next({ id, version }: Infraction, ahead = 1): [stream: string, version: number] {
  return [streamOfInfraction(id), version + ahead];
}

export function of({ id, accountUid, transactionId }: Infraction, partnerUid: string) {
  return { id, partnerUid, accountUid, transactionId };
}

import { assertSchedulable, type ScheduleTerms, type Transaction, TransitionNotAllowed } from '../../accounts/index.js';
import type { NewEvent } from '../../event-store/index.js';
import { InvalidInputError, OperationError } from '../../platform/errors/index.js';
import { type Calendar, runsBefore, runTime } from './calendar.js';
import { calendarOf, type Schedule, streamOfSchedule } from './schedule.js';
import { ScheduleCancelled, ScheduleCreated, type ScheduleOrder, ScheduleRunMade } from './schedule.events.js';

export const MOST_RUNS = 60;
/** Active schedules of one account. */
export const MOST_SCHEDULES = 100;
const HOUR_MS = 3_600_000;

const IN_BODY = { scheduledFor: 'startsOn', retryUntil: 'retryForHours' };

/** 400: a schedule without any run, or with too many. */
export class ScheduleRunsNotAllowed extends InvalidInputError {
  /** @param property path of the end in the body */
  constructor(property: string) {
    super('ScheduleRunsNotAllowed', `A schedule has from 1 to ${MOST_RUNS} runs.`, { property, maximum: MOST_RUNS });
  }
}

/** 422: too many schedules of the account are active. */
export class TooManySchedules extends OperationError {
  constructor() {
    super('TooManySchedules', `At most ${MOST_SCHEDULES} schedules of an account may be active.`, {
      maximum: MOST_SCHEDULES,
    });
  }
}

export interface NewSchedule extends Calendar {
  readonly id: string;
  readonly kind: Schedule['kind'];
  readonly end: { readonly count: number } | { readonly until: Date };
  readonly retryForHours?: number;
  readonly order: ScheduleOrder;
}

/** What is new with a run. */
export interface NewRun {
  readonly transactionId: string;
  /** Of the work that carries the transaction out, and of that which makes the next run. */
  readonly timerId: string;
  readonly nextTimerId: string;
}

/** Makes the transaction of a run. */
type MakeRun = (terms: ScheduleTerms) => readonly NewEvent[];

/** A schedule and its first run. */
export function createSchedule(
  owner: { readonly partnerUid: string; readonly accountUid: string },
  { id, kind, every, startsAt, end, retryForHours, order }: NewSchedule,
  run: NewRun,
  at: Date,
  make: MakeRun,
): readonly NewEvent[] {
  const calendar = { every, startsAt };
  assertSchedulable({ scheduledFor: startsAt }, at, IN_BODY);
  const count = 'count' in end ? end.count : runsBefore(calendar, end.until, MOST_RUNS + 1);
  if (count < 1 || count > MOST_RUNS) throw new ScheduleRunsNotAllowed('count' in end ? 'count' : 'until');
  const { partnerUid, accountUid } = owner;
  const created = ScheduleCreated.create(streamOfSchedule(id), 1, {
    ...{ id, partnerUid, accountUid, kind, every, startsAt: startsAt.toISOString(), count },
    ...(retryForHours !== undefined && { retryForHours }),
    ...order,
  });
  const first = { ...calendar, id, partnerUid, count, retryForHours: retryForHours ?? null, number: 1, version: 1 };
  return [created, ...runOf(first, run, make)];
}

/** The next run, when the one before is due; none where it was made already, or the schedule has ended. */
export function makeNextRun(schedule: Schedule, timerId: string, run: NewRun, make: MakeRun): readonly NewEvent[] {
  if (schedule.state !== 'Active' || schedule.timerId !== timerId) return [];
  const number = schedule.runs.length + 1;
  return runOf({ ...schedule, ...calendarOf(schedule), number, doneTimerId: timerId }, run, make);
}

/**
 * Ends a schedule with its runs that wait: for their time, or for funds when the next one has long been made.
 * @param runs their transactions
 * @param cancel of one of them
 * @throws TransitionNotAllowed where nothing is left of it
 */
export function cancelSchedule(
  schedule: Schedule,
  runs: readonly Transaction[],
  cancel: (transaction: Transaction) => readonly NewEvent[],
): readonly NewEvent[] {
  const { id, partnerUid, state, timerId, version } = schedule;
  const waiting = runs.filter((run) => run.state === 'Scheduled');
  if (state === 'Cancelled' || (state === 'Ended' && waiting.length === 0))
    throw new TransitionNotAllowed(state, 'Cancelled');
  const ended = ScheduleCancelled.create(streamOfSchedule(id), version + 1, {
    id,
    partnerUid,
    ...(timerId && { timerId }),
  });
  return [ended, ...waiting.flatMap(cancel)];
}

type RunOf = Calendar &
  Pick<Schedule, 'id' | 'partnerUid' | 'count' | 'retryForHours' | 'version'> & {
    readonly number: number;
    readonly doneTimerId?: string;
  };

function runOf(schedule: RunOf, { transactionId, timerId, nextTimerId }: NewRun, make: MakeRun): readonly NewEvent[] {
  const { id, partnerUid, number, count, retryForHours, version, doneTimerId } = schedule;
  const scheduledFor = runTime(schedule, number - 1);
  const retryUntil = retryForHours === null ? undefined : new Date(scheduledFor.getTime() + retryForHours * HOUR_MS);
  const made = ScheduleRunMade.create(streamOfSchedule(id), version + 1, {
    ...{ id, partnerUid, number, transactionId, scheduledFor: scheduledFor.toISOString() },
    ...(number < count && { timerId: nextTimerId }),
    ...(doneTimerId && { doneTimerId }),
  });
  return [made, ...make({ scheduledFor, ...(retryUntil && { retryUntil }), timerId, scheduleId: id })];
}

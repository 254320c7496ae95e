import type { RecordedEvent, Stored } from '../../event-store/index.js';
import type { DataOf } from '../../event-store/index.js';
import type { Calendar, ScheduleStep } from './calendar.js';
import { ScheduleCancelled, ScheduleCreated, ScheduleRunMade } from './schedule.events.js';

export interface ScheduleRun {
  readonly number: number;
  readonly transactionId: string;
  /** ISO 8601, UTC. */
  readonly scheduledFor: string;
}

/** `Ended`: no further run is to be made; the last one may still wait. */
export type ScheduleState = 'Active' | 'Ended' | 'Cancelled';

export type StoredOrder = Omit<
  Stored<DataOf<typeof ScheduleCreated>>,
  'id' | 'partnerUid' | 'accountUid' | 'kind' | 'every' | 'startsAt' | 'count' | 'retryForHours'
>;

export interface Schedule {
  readonly id: string;
  readonly partnerUid: string;
  readonly accountUid: string;
  readonly kind: 'Transfer' | 'CashOut';
  readonly state: ScheduleState;
  readonly every: ScheduleStep;
  readonly startsAt: Date;
  readonly count: number;
  readonly retryForHours: number | null;
  /** What each run is made of; personal members are sealed. */
  readonly makes: StoredOrder;
  readonly runs: readonly ScheduleRun[];
  /** Of the work that makes the next run. */
  readonly timerId: string | null;
  readonly createdAt: Date;
  /** Version of the stream. */
  readonly version: number;
}

export function calendarOf({ every, startsAt }: Schedule): Calendar {
  return { every, startsAt };
}

export function evolveSchedule(schedule: Schedule | undefined, event: RecordedEvent): Schedule {
  const { version } = event;
  if (ScheduleCreated.is(event)) {
    const { id, partnerUid, accountUid, kind, every, startsAt, count, retryForHours, ...makes } = event.data;
    return {
      ...{ id, partnerUid, accountUid, kind, every, count, makes, version },
      state: 'Active',
      startsAt: new Date(startsAt),
      retryForHours: retryForHours ?? null,
      runs: [],
      timerId: null,
      createdAt: event.time,
    };
  }
  if (!schedule) throw new TypeError(`${event.type} is about a schedule that was never made`);
  if (ScheduleRunMade.is(event)) {
    const { number, transactionId, scheduledFor, timerId = null } = event.data;
    const runs = [...schedule.runs, { number, transactionId, scheduledFor }];
    return { ...schedule, runs, timerId, state: timerId ? 'Active' : 'Ended', version };
  }
  if (ScheduleCancelled.is(event)) return { ...schedule, state: 'Cancelled', timerId: null, version };
  throw new TypeError(`${event.type} does not change a schedule`);
}

/** Each run of a payout is an order of its own: `rent-1`, `rent-2`. */
export function orderIdOfRun(orderId: string, number: number): string {
  return `${orderId}-${number}`;
}

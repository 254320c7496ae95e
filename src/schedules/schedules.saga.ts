import type { PoolClient } from 'pg';
import { changeWork, type Follower, type NewWork, type RecordedEvent } from '../event-store/index.js';
import { CashOutCancelled, CashOutScheduled } from '../pix/index.js';
import { TransferCancelled, TransferScheduled } from '../transfers/index.js';
import { CANCELLATIONS, cancelledRuns, ENDINGS } from './cancelled-runs.js';
import { ScheduleCancelled, ScheduleRunMade } from './domain/schedule.events.js';

/** The kind of work that carries out a transaction when its time has come. */
export const RUN_SCHEDULED = 'scheduled-run';
/** The kind of work that makes the next run of a schedule when the one before it is due. */
export const MAKE_NEXT_RUN = 'schedule-next-run';

const BEGINNINGS = [TransferScheduled, CashOutScheduled];
const OF_SCHEDULES = [ScheduleRunMade, ScheduleCancelled];
const HANDLED = new Set([...BEGINNINGS, ...CANCELLATIONS, ...OF_SCHEDULES].map(({ type }) => type));

/** Turns scheduled transactions into work that is due at their time. It carries nothing out itself. */
export const schedulesSaga: Follower = {
  name: 'schedules',
  handles: HANDLED,
  leaves: cancelledRuns,

  intends: {
    kinds: new Map([
      [RUN_SCHEDULED, 'subject'],
      [MAKE_NEXT_RUN, 'id'],
    ]),
    types: new Set([...HANDLED, ...ENDINGS.map(({ type }) => type)]),
    begunBy: workOf,
    endedBy: (event) => {
      if (event.version === 1) return [];
      const timerId = doneBy(event);
      if (timerId) return [`${timerId}/${MAKE_NEXT_RUN}`];
      if (!ENDINGS.some((type) => type.is(event))) return [];
      return [`${(event.data as { id: string }).id}/${RUN_SCHEDULED}`];
    },
  },

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<string[]> {
    const cancelled = events.flatMap((event) =>
      TransferCancelled.is(event) || CashOutCancelled.is(event) || ScheduleCancelled.is(event)
        ? (event.data.timerId ?? [])
        : [],
    );
    return changeWork(client, partition, events.flatMap(workOf), cancelled);
  },
};

/** The work for the next run that an event ends. */
function doneBy(event: RecordedEvent): string | undefined {
  if (ScheduleRunMade.is(event)) return event.data.doneTimerId;
  return ScheduleCancelled.is(event) ? event.data.timerId : undefined;
}

function workOf(event: RecordedEvent): NewWork[] {
  if (ScheduleRunMade.is(event)) {
    const { id: subject, partnerUid, timerId: id, scheduledFor } = event.data;
    const dueAt = new Date(scheduledFor);
    return id ? [{ id, kind: MAKE_NEXT_RUN, subject, payload: { partnerUid }, dueAt }] : [];
  }
  if (!TransferScheduled.is(event) && !CashOutScheduled.is(event)) return [];
  const { id, partnerUid, schedule } = event.data;
  const dueAt = new Date(schedule.scheduledFor);
  return [{ id: schedule.timerId, kind: RUN_SCHEDULED, subject: id, payload: { partnerUid }, dueAt }];
}

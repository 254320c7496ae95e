import { type InlineProjection, type RecordedEvent, Table } from '../event-store/index.js';
import { CashOutScheduled } from '../pix/index.js';
import { TransferScheduled } from '../transfers/index.js';
import { evolveSchedule, type Schedule } from './domain/schedule.js';
import { ScheduleCancelled, ScheduleCreated, ScheduleRunMade } from './domain/schedule.events.js';

const EVENTS = [ScheduleCreated, ScheduleRunMade, ScheduleCancelled];

export const scheduleTable = new Table<Schedule>({
  table: 'schedule',
  columns: {
    id: 'uuid',
    partnerUid: 'uuid',
    accountUid: 'uuid',
    kind: 'text',
    state: 'text',
    every: 'text',
    startsAt: 'timestamptz',
    count: 'int',
    retryForHours: 'int',
    makes: 'json',
    runs: 'json',
    timerId: 'uuid',
    createdAt: 'timestamptz',
    version: 'int',
  },
  changes: ['state', 'runs', 'timerId', 'version'],
});

/** Repeating transfers and payouts. */
export const scheduleProjection: InlineProjection<Schedule> = {
  name: 'schedules',
  keysOf: (event) => {
    if (EVENTS.some((type) => type.is(event))) return [(event.data as { id: string }).id];
    return scheduleOfRun(event);
  },
  evolve: evolveSchedule,
  ...scheduleTable.inline(),
};

/** A run changes nothing of its schedule: it is looked whether it is one that the schedule orders. */
function scheduleOfRun(event: RecordedEvent): string[] {
  if (!TransferScheduled.is(event) && !CashOutScheduled.is(event)) return [];
  const { scheduleId } = event.data.schedule;
  return scheduleId ? [scheduleId] : [];
}

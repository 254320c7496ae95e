import { type InlineProjection, Table } from '../event-store/index.js';
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
  keysOf: (event) => (EVENTS.some((type) => type.is(event)) ? [(event.data as { id: string }).id] : []),
  evolve: evolveSchedule,
  ...scheduleTable.inline(),
};

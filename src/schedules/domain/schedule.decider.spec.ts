import { describe, expect, it } from '@jest/globals';
import type { Transaction } from '../../accounts/index.js';
import type { NewEvent, RecordedEvent } from '../../event-store/index.js';
import { cancelSchedule, createSchedule, makeNextRun, type NewSchedule } from './schedule.decider.js';
import { evolveSchedule, type Schedule } from './schedule.js';

const AT = new Date('2026-11-20T12:00:00Z');
const START = new Date('2027-01-31T09:00:00Z');
const run = { transactionId: 't1', timerId: 'w1', nextTimerId: 'n1' };
const made: NewEvent = { type: 'Made', stream: 'transfer-t1', version: 1, data: {} };
const owner = { partnerUid: 'partner', accountUid: 'alice' };

const asked = (changes: Partial<NewSchedule> = {}): NewSchedule => ({
  id: 's1',
  kind: 'Transfer',
  every: 'month',
  startsAt: START,
  end: { count: 2 },
  retryForHours: 24,
  order: { amount: '1000', destinationUid: 'bob' },
  ...changes,
});
const create = (changes?: Partial<NewSchedule>) => createSchedule(owner, asked(changes), run, AT, () => [made]);
const fold = (events: readonly NewEvent[]) =>
  (events as RecordedEvent[])
    .filter(({ type }) => type.startsWith('Schedule'))
    .reduce<Schedule>((row, event) => evolveSchedule(row, event), undefined as never);
const reasonOf = (act: () => unknown) => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as { details: { reason: string } }).details.reason;
  }
};

describe('a schedule', () => {
  it('is made with its first run, which names the work for the next one', () => {
    const terms: unknown[] = [];
    const events = createSchedule(owner, asked(), run, AT, (given) => (terms.push(given), [made]));
    expect(events).toMatchObject([
      { type: 'ScheduleCreated', stream: 'schedule-s1', version: 1, data: { count: 2 } },
      { type: 'ScheduleRunMade', version: 2, data: { number: 1, transactionId: 't1', timerId: 'n1' } },
      made,
    ]);
    expect(terms).toEqual([
      { scheduledFor: START, retryUntil: new Date('2027-02-01T09:00:00Z'), timerId: 'w1', scheduleId: 's1' },
    ]);
  });

  it('makes the next run once, for the work of that run only, and none after the last', () => {
    const first = create();
    const next = { transactionId: 't2', timerId: 'w2', nextTimerId: 'n2' };
    expect(makeNextRun(fold(first), 'other', next, () => [made])).toEqual([]);
    const second = makeNextRun(fold(first), 'n1', next, () => [made]);
    expect(second).toMatchObject([
      {
        type: 'ScheduleRunMade',
        version: 3,
        data: { number: 2, scheduledFor: '2027-02-28T09:00:00.000Z', doneTimerId: 'n1' },
      },
      made,
    ]);
    expect(second[0]!.data as object).not.toHaveProperty('timerId');
    const ended = fold([...first, ...second]);
    expect(ended).toMatchObject({ state: 'Ended', timerId: null, version: 3 });
    expect(makeNextRun(ended, 'n1', next, () => [made])).toEqual([]);
  });

  it('has no run of another order', () => {
    const next = { transactionId: 't2', timerId: 'w2', nextTimerId: 'n2' };
    const first = create();
    const schedule = fold([...first, ...makeNextRun(fold(first), 'n1', next, () => [])]);
    const asOrdered = { id: 't2', partnerUid: 'partner', sourceUid: 'alice', destinationUid: 'bob', amount: '1000' };
    const run = (data: object) =>
      evolveSchedule(schedule, {
        type: 'TransferScheduled',
        data: { ...asOrdered, schedule: { scheduleId: 's1' }, ...data },
      } as RecordedEvent);
    expect(run({})).toBe(schedule);
    for (const other of [{ id: 't9' }, { sourceUid: 'eve' }, { destinationUid: 'eve' }, { amount: '1' }]) {
      expect(() => run(other)).toThrow('is none that the schedule s1 orders');
    }
  });

  it.each<[string, string, Partial<NewSchedule>]>([
    ['ScheduleRunsNotAllowed', 'until', { end: { until: new Date('2027-01-01T00:00:00Z') } }],
    ['ScheduleRunsNotAllowed', 'until', { end: { until: new Date('2037-01-01T00:00:00Z') } }],
    ['ScheduledForNotAllowed', 'startsOn', { startsAt: new Date('2020-01-01T00:00:00Z') }],
  ])('is refused with %s for its member %s', (reason, property, changes) => {
    expect(() => create(changes)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ reason, property }) }),
    );
  });

  it('counts its runs until a moment', () => {
    expect(create({ end: { until: new Date('2027-04-30T09:00:00Z') } })[0]).toMatchObject({ data: { count: 3 } });
  });

  it('is cancelled with its runs that wait, as long as anything is left of it', () => {
    const schedule = fold(create());
    const waits = { state: 'Scheduled' } as Transaction;
    const over = { state: 'Completed' } as Transaction;
    expect(cancelSchedule(schedule, [over, waits], () => [made])).toMatchObject([
      { type: 'ScheduleCancelled', version: 3, data: { timerId: 'n1' } },
      made,
    ]);
    expect(cancelSchedule(schedule, [waits, waits], () => [made])).toHaveLength(3);
    expect(cancelSchedule(schedule, [over], () => [made])).toHaveLength(1);
    const ended: Schedule = { ...schedule, state: 'Ended', timerId: null };
    expect(cancelSchedule(ended, [waits, over], () => [made])).toHaveLength(2);
    expect(reasonOf(() => cancelSchedule(ended, [over], () => [made]))).toBe('TransitionNotAllowed');
    const cancelled: Schedule = { ...schedule, state: 'Cancelled' };
    expect(reasonOf(() => cancelSchedule(cancelled, [over], () => [made]))).toBe('TransitionNotAllowed');
  });
});

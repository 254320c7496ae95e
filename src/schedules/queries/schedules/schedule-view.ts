import { ApiProperty } from '@nestjs/swagger';
import { type Transaction, TRANSACTION_STATE, type TransactionState } from '../../../accounts/index.js';
import type { RecordedEvent } from '../../../event-store/index.js';
import { AMOUNT, MOMENT, UUID } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { type ScheduleStep, STEPS, runTime } from '../../domain/calendar.js';
import { calendarOf, evolveSchedule, type Schedule, type ScheduleState } from '../../domain/schedule.js';
import { ScheduleCreated, ScheduleRunMade } from '../../domain/schedule.events.js';

export class ScheduleRunView {
  /** From 1 */
  readonly number: number;
  /** The transfer or payout, to be read as any other */
  @ApiProperty(UUID) readonly transactionId: string;
  @ApiProperty(MOMENT) readonly scheduledFor: string;
  @ApiProperty(TRANSACTION_STATE) readonly state: TransactionState;
  readonly errorReason: string | null;
}

export class ScheduleView {
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty({ enum: ['Active', 'Ended', 'Cancelled'], enumName: 'ScheduleState' }) readonly state: ScheduleState;
  @ApiProperty({ enum: ['Transfer', 'CashOut'], enumName: 'ScheduleKind' }) readonly kind: Schedule['kind'];
  @ApiProperty({ enum: STEPS, enumName: 'ScheduleStep' }) readonly every: ScheduleStep;
  @ApiProperty(MOMENT) readonly startsAt: string;
  /** Number of runs */
  readonly count: number;
  readonly retryForHours: number | null;
  @ApiProperty(AMOUNT) readonly amount: string;
  /** Destination of a transfer */
  @ApiProperty({ ...UUID, nullable: true }) readonly refAccountCredit: string | null;
  /** Of a payout, without the number that each run has after it */
  readonly orderId: string | null;
  @ApiProperty(MOMENT) readonly createdAt: string;
  /** Time of the earliest run that waits, or else of the one that is made next; `null` where none is left */
  @ApiProperty({ ...MOMENT, nullable: true }) readonly nextRun: string | null;
  /** Those that were made, oldest first: the newest one waits, or waited, for its time */
  @ApiProperty({ type: [ScheduleRunView] }) readonly runs: readonly ScheduleRunView[];
}

type RunState = Pick<Transaction, 'state' | 'errorReason'>;

/** As it was made, whatever has become of it since: a replay is answered like the first request. */
export function showCreated(events: readonly RecordedEvent[]): ScheduleView {
  const own = events.filter((event) => ScheduleCreated.is(event) || ScheduleRunMade.is(event));
  const schedule = own.reduce<Schedule | undefined>(evolveSchedule, undefined)!;
  const waits: RunState = { state: 'Scheduled', errorReason: null };
  return showSchedule(schedule, new Map(schedule.runs.map(({ transactionId }) => [transactionId, waits])));
}

/** @param transactions of its runs, by id */
export function showSchedule(schedule: Schedule, transactions: ReadonlyMap<string, RunState>): ScheduleView {
  const { id, kind, every, startsAt, count, retryForHours, makes, createdAt } = schedule;
  const runs = schedule.runs.map(({ number, transactionId, scheduledFor }) => {
    const { state, errorReason } = transactions.get(transactionId)!;
    return { number, transactionId, scheduledFor, state, errorReason };
  });
  const waiting = runs.find((run) => run.state === 'Scheduled');
  const next = schedule.state === 'Active' ? runTime(calendarOf(schedule), runs.length).toISOString() : null;
  return {
    id,
    state: schedule.state === 'Ended' && waiting ? 'Active' : schedule.state,
    kind,
    every,
    startsAt: startsAt.toISOString(),
    count,
    retryForHours,
    amount: formatAmount(BigInt(makes.amount)),
    refAccountCredit: makes.destinationUid ?? null,
    orderId: makes.orderId ?? null,
    createdAt: createdAt.toISOString(),
    nextRun: waiting?.scheduledFor ?? next,
    runs,
  };
}

const ID = '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e';

export const SCHEDULE_EXAMPLE: ScheduleView = {
  id: ID,
  state: 'Active',
  kind: 'Transfer',
  every: 'month',
  startsAt: '2027-01-31T09:00:00.000Z',
  count: 12,
  retryForHours: 24,
  amount: '10.50',
  refAccountCredit: ID,
  orderId: null,
  createdAt: '2026-11-20T14:04:05.123Z',
  nextRun: '2027-01-31T09:00:00.000Z',
  runs: [
    { number: 1, transactionId: ID, scheduledFor: '2027-01-31T09:00:00.000Z', state: 'Scheduled', errorReason: null },
  ],
};

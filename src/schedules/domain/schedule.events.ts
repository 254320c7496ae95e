import { defineEvent, type Personal, type Sealed } from '../../event-store/index.js';
import type { PayoutOrder } from '../../pix/index.js';
import type { ScheduledOrder } from '../../transfers/index.js';
import type { ScheduleStep } from './calendar.js';

/** Members of both kinds of order, so that what is personal stands where events seal it. */
export type ScheduleOrder = Partial<Omit<PayoutOrder, 'amount' | 'recipient'>> &
  Partial<Omit<ScheduledOrder, 'amount'>> & {
    readonly amount: string;
    readonly recipient?: Personal<unknown> | Sealed;
  };

/** Streams are `schedule-<id>`. Amounts are centavos in decimal text, times ISO 8601 in UTC. */
export const ScheduleCreated = defineEvent<
  {
    id: string;
    partnerUid: string;
    accountUid: string;
    kind: 'Transfer' | 'CashOut';
    every: ScheduleStep;
    startsAt: string;
    /** How many runs there are. */
    count: number;
    /** How long a run waits for missing funds. */
    retryForHours?: number;
  } & ScheduleOrder
>()('ScheduleCreated', 'A transfer or a payout is to be made every week or every month.');

export const ScheduleRunMade = defineEvent<{
  id: string;
  partnerUid: string;
  /** From 1. */
  number: number;
  /** The transfer or payout that waits for the time of the run. */
  transactionId: string;
  scheduledFor: string;
  /** Of the work that makes the next run, when this one is due; absent for the last run. */
  timerId?: string;
  /** Of the work that made this one; absent for the first run. */
  doneTimerId?: string;
}>()('ScheduleRunMade', 'The transaction of the next run of a schedule was made; it waits for its time.');

export const ScheduleCancelled = defineEvent<{
  id: string;
  partnerUid: string;
  /** Of the work that would have made the next run. */
  timerId?: string;
}>()('ScheduleCancelled', 'No further run of a schedule is made. Those that wait are cancelled with it. Final.');

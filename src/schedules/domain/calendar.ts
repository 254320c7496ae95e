import { momentOf, wallClockOf } from '../../platform/sao-paulo.js';

export const STEPS = ['week', 'month'] as const;
export type ScheduleStep = (typeof STEPS)[number];

/** When runs are: the first at `startsAt`, the others at the same time of day in São Paulo. */
export interface Calendar {
  readonly every: ScheduleStep;
  readonly startsAt: Date;
}

const WEEK_MS = 7 * 24 * 3_600_000;

/**
 * The time of a run, from 0. Months are counted from the first run: the 31st falls on the last day of a shorter month,
 * and is the 31st again after it.
 */
export function runTime({ every, startsAt }: Calendar, run: number): Date {
  const first = wallClockOf(startsAt);
  return momentOf(every === 'week' ? first + run * WEEK_MS : monthsLater(first, run));
}

/** How many runs there are before a moment, `most` at most. */
export function runsBefore(calendar: Calendar, until: Date, most: number): number {
  let runs = 0;
  while (runs < most && runTime(calendar, runs) < until) runs += 1;
  return runs;
}

/** On a clock that is shown as UTC. */
function monthsLater(wallClock: number, months: number): number {
  const first = new Date(wallClock);
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months + 1, 0)).getUTCDate();
  const day = Math.min(first.getUTCDate(), lastDay);
  const then = new Date(wallClock);
  then.setUTCFullYear(first.getUTCFullYear(), first.getUTCMonth() + months, day);
  return then.getTime();
}

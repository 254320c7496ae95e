import { REGISTRY_PARTITION, type StandingTimer } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import { dayAfter, dayBefore, isDay, saoPauloDay } from '../../../platform/sao-paulo.js';
import type { Findings } from '../report.js';
import { WORK } from './work-times.js';

export const DAYS = 'reconciled days';
/** The kind of the timer that compares days. */
const RECONCILES = 'pix-reconcile';
/** A reconciliation that failed is tried again within it. */
const SOON_MS = 60 * 60 * 1000;

/**
 * What no event begins, so that nobody would miss it: the timers are there, and the nights have left no day out. Call
 * it once the rows of all partitions were read.
 * @param newest time of the log's newest event: in a copy that nobody works on nothing is late
 */
export async function checkNights(
  database: Database,
  findings: Findings,
  timers: readonly StandingTimer[],
  newest: Date,
): Promise<void> {
  const began = await beginningOf(database);
  if (!began) return;
  await checkTimersExist(
    database,
    findings,
    timers.filter((timer) => isMissed(timer, findings)),
  );
  // Where a clock was ahead, the log still is; the nights go by the database's.
  const today = saoPauloDay(new Date(Math.min(Date.now(), newest.getTime())));
  await checkDays(database, findings, saoPauloDay(began), dayBefore(dayBefore(today)));
}

/** Of the first event that a worker followed: processes without work make no timers. */
async function beginningOf(database: Database): Promise<Date | undefined> {
  const [first] = await database.backgroundQuery<{ time: Date }>({
    name: 'verify-first-followed',
    text: `
      select time from event
      where partition = $1 and position = 1
        and exists (select from subscription where partition = $1 and position > 0)`,
    values: [REGISTRY_PARTITION],
  });
  return first?.time;
}

function isMissed({ missedIn }: StandingTimer, { examined }: Findings): boolean {
  if (typeof missedIn === 'string') return missedIn === 'All';
  return (examined[`rows of ${missedIn.rowsOf}`] ?? 0) > 0;
}

async function checkTimersExist(
  database: Database,
  findings: Findings,
  timers: readonly StandingTimer[],
): Promise<void> {
  const rows = await database.backgroundQuery<{ key: string }>({
    name: 'verify-timers-exist',
    text: `select id || '/' || kind as key from work where partition = $1 and id = any($2::uuid[])`,
    values: [REGISTRY_PARTITION, timers.map(({ id }) => id)],
  });
  const found = new Set(rows.map(({ key }) => key));
  findings.saw(WORK, timers.length);
  for (const { id, kind } of timers) {
    const key = `${id}/${kind}`;
    if (!found.has(key)) missing(findings, WORK, `work ${key}`, 'row', 'a timer that never ends');
  }
}

/** @param due by now the nights have compared it, and each day before since they began */
async function checkDays(database: Database, findings: Findings, began: string, due: string): Promise<void> {
  // Before the days: what a service compares meanwhile is not missing.
  const timer = await readTimer(database);
  const rows = await database.backgroundQuery<{ day: string }>({
    name: 'verify-reconciled-days',
    text: 'select day from reconciled_day where partition = $1 order by day',
    values: [REGISTRY_PARTITION],
  });
  findings.saw(DAYS, rows.length);
  const days = rows.map(({ day }) => day).filter(isDay);
  const expected = days.map(dayAfter);
  // Where a clock was ahead, days of the future are there, and not yet those before them.
  const gaps = expected.filter((day, i) => i + 1 < days.length && day !== days[i + 1] && day <= due);
  const next = expected.at(-1) ?? (timer?.isOfEarlierVersion ? undefined : began);
  // After days without a process, or without the rail, they are compared soon.
  if (next !== undefined && next <= due && !timer?.isSoon) gaps.push(next);
  for (const day of gaps) missing(findings, DAYS, `day ${day}`, 'day', 'one that was reconciled');
}

async function readTimer(database: Database) {
  const [timer] = await database.backgroundQuery<{ soon: boolean; payload: { readonly day?: unknown } | null }>({
    name: 'verify-reconciles-soon',
    text: 'select due_at <= $3 as soon, payload from work where partition = $1 and kind = $2 order by due_at limit 1',
    values: [REGISTRY_PARTITION, RECONCILES, new Date(Date.now() + SOON_MS)],
  });
  // Earlier versions named the last day here, and left none in the log.
  return timer && { isSoon: timer.soon, isOfEarlierVersion: isDay(timer.payload?.day) };
}

function missing(findings: Findings, check: string, subject: string, field: string, expected: string): void {
  findings.report({
    ...{ check, partition: REGISTRY_PARTITION, position: null, subject, field, expected, found: 'nothing' },
  });
}

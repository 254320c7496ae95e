import { REGISTRY_PARTITION } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { Findings } from '../report.js';

export const WORK = 'rows of work';

/** No pause between two attempts, and no lease, is longer than a day; an hour more, as clocks differ. */
const LONGEST_PAUSE_MS = 25 * 60 * 60 * 1000;
const EARLIEST = new Date(0);
const MOST_TOLD = 1_000;

/** When a row of work is done next. */
export interface WorkTimes {
  readonly due_at: Date | null;
  readonly leased_until: Date | null;
}

/** PostgreSQL has moments that cannot be told as dates: infinity, and years of more than four digits. */
const shown = (column: string) =>
  `case when ${column} is not null
    then least(greatest(${column}, timestamptz '0001-01-01'), timestamptz '9999-12-31') end as ${column}`;

/** The columns of `WorkTimes`. */
export const TIMES = `${shown('due_at')}, ${shown('leased_until')}`;

export interface Postponed {
  readonly field: keyof WorkTimes;
  readonly expected: string;
  readonly found: string;
}

/**
 * A time of a row that no worker sets. Work that is due later than any, or at no time, is not done, and no alert tells,
 * as it is not due.
 * @param dueAt when an event has it due
 * @param at the present, by the log and by our clock
 */
export function postponed(times: WorkTimes, dueAt: Date, at: Date): Postponed | undefined {
  const latest = {
    due_at: Math.max(dueAt.getTime(), at.getTime()) + LONGEST_PAUSE_MS,
    leased_until: at.getTime() + LONGEST_PAUSE_MS,
  };
  for (const field of ['due_at', 'leased_until'] as const) {
    const found = times[field];
    if (!found || found.getTime() <= latest[field]) continue;
    return { field, expected: `at most ${new Date(latest[field]).toISOString()}`, found: found.toISOString() };
  }
  const due = times.due_at;
  if (!due) return { field: 'due_at', expected: 'a time', found: 'nothing' };
  if (due >= EARLIEST) return undefined;
  return { field: 'due_at', expected: `at least ${EARLIEST.toISOString()}`, found: due.toISOString() };
}

interface Timer extends WorkTimes {
  readonly id: string;
  readonly kind: string;
}

interface TimersContext {
  readonly database: Database;
  readonly findings: Findings;
  readonly partition: number;
}

/**
 * Looks at work that no event begins, timers and hints: at its times, and that no timer is there twice.
 * @param ofEvents kinds that events begin
 * @param hints kinds of which any number of rows may be there
 */
export async function checkTimers(
  context: TimersContext,
  ofEvents: readonly string[],
  hints: readonly string[],
  at: Date,
): Promise<void> {
  await checkTimes(context, ofEvents, at);
  await checkTwofold(context, [...ofEvents, ...hints]);
}

async function checkTimes({ database, findings, partition }: TimersContext, ofEvents: readonly string[], at: Date) {
  const rows = await database.backgroundQuery<Timer & Record<string, unknown>>({
    name: 'verify-timers',
    text: `
      select id, kind, ${TIMES} from work
      where partition = $1 and kind <> all($2::text[])
        and (due_at is null or due_at < $4 or due_at > $3 or leased_until > $3)
      order by id limit ${MOST_TOLD}`,
    values: [partition, ofEvents, new Date(at.getTime() + LONGEST_PAUSE_MS), EARLIEST],
  });
  for (const { id, kind, ...times } of rows) {
    const wrong = postponed(times, at, at);
    if (wrong) findings.report({ check: WORK, partition, position: null, subject: `work ${id}/${kind}`, ...wrong });
  }
}

/** A timer's worker does each row of its kind, and none of them ends: two would go on beside each other. */
async function checkTwofold({ database, findings, partition }: TimersContext, others: readonly string[]) {
  const rows = await database.backgroundQuery<{ id: string; kind: string }>({
    name: 'verify-timers-twofold',
    text: `
      select id, kind from work w
      where partition = $1 and kind <> all($2::text[])
        and ($3 or exists (select from work o where o.partition = $1 and o.kind = w.kind and o.id < w.id))
      order by id limit ${MOST_TOLD}`,
    values: [partition, others, partition !== REGISTRY_PARTITION],
  });
  for (const { id, kind } of rows) {
    findings.report({
      ...{ check: WORK, partition, position: null, subject: `work ${id}/${kind}`, field: 'row' },
      ...{ expected: 'nothing: a timer has one row', found: 'another' },
    });
  }
}

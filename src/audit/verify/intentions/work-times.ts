import type { Database } from '../../../platform/database/index.js';
import type { Findings } from '../report.js';

export const CHECK = 'rows of work';

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

/**
 * Looks at the times of work that no event begins: timers, and what wakes a case.
 * @param ofEvents kinds that events begin
 */
export async function checkTimers(
  { database, findings, partition }: { database: Database; findings: Findings; partition: number },
  ofEvents: readonly string[],
  at: Date,
): Promise<void> {
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
    if (wrong) findings.report({ check: CHECK, partition, position: null, subject: `work ${id}/${kind}`, ...wrong });
  }
}

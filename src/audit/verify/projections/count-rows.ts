import type { QueryResultRow } from 'pg';
import type { AsyncProjection } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { Findings } from '../report.js';

const PAGE = 50_000;

interface CountedPage extends QueryResultRow {
  readonly counted: number;
  readonly seen: number;
  readonly newest: string | null;
  readonly last: string | null;
}

/** Rows of a follower, and how they are counted. */
export type CountedRows = Pick<AsyncProjection, 'name' | 'count'>;

/** The inputs of a check of a follower's rows. */
export interface FollowerCheckContext {
  readonly database: Database;
  readonly partition: number;
  readonly findings: Findings;
  /** The follower's checkpoint when the verification began. */
  readonly upTo: bigint;
  /** Its present checkpoint. */
  reachedNow(): Promise<bigint>;
}

/** Reports rows that no event made: more of them than expected, or of an event that the follower has not seen. */
export async function countRows(rows: CountedRows, expected: number, context: FollowerCheckContext): Promise<void> {
  const { database, partition, upTo } = context;
  let [counted, newest] = [0, 0n];
  let after: string | null = null;
  do {
    const [page]: CountedPage[] = await database.backgroundQuery<CountedPage>(rows.count(partition, after, upTo, PAGE));
    counted += page!.counted;
    const last = BigInt(page!.newest ?? 0);
    if (last > newest) newest = last;
    after = page!.seen === PAGE ? page!.last : null;
  } while (after !== null);
  if (counted > expected) report(rows, context, 'count', String(expected), String(counted));
  await compareNewest(rows, newest, context);
}

/** A row of an event beyond the checkpoint, or of none, is not the follower's. */
export async function compareNewest(
  rows: Pick<CountedRows, 'name'>,
  newest: bigint,
  context: FollowerCheckContext,
): Promise<void> {
  const reached = await context.reachedNow();
  if (newest > reached) report(rows, context, 'position', `at most ${reached}`, String(newest));
}

function report(
  { name }: Pick<CountedRows, 'name'>,
  { findings, partition }: FollowerCheckContext,
  field: string,
  expected: string,
  found: string,
): void {
  findings.report({ check: `rows of ${name}`, partition, position: null, subject: name, field, expected, found });
}

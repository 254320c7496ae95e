import { isIndexEntry, isRow, isUpkeep, type WrittenKind, type WrittenLog } from '../../bench/written.js';
import type { StatementRecorder } from './statement-recorder.js';

/** What requests of one kind cost, each. */
export interface Cost {
  /** By kind of connection. */
  readonly statements: Readonly<Record<string, number>>;
  readonly roundTrips: Readonly<Record<string, number>>;
  /** By table. An update counts as a row too. */
  readonly rows: Readonly<Record<string, number>>;
  /** By index. */
  readonly indexEntries: Readonly<Record<string, number>>;
  /** Without page images, and without what is written once in many requests, when a page is full. */
  readonly walBytes: number;
}

const REQUESTS = ['lane', 'look-ups', 'reads'].map((purpose) => `payments ${purpose}`);

/** Measures what a number of requests, one after another, cost. Only their own connections count: not what polls. */
export async function costOf(
  requests: number,
  recorder: StatementRecorder,
  log: WrittenLog,
  run: (n: number) => Promise<void>,
): Promise<Cost> {
  const [statements, roundTrips] = [recorder.executed.length, recorder.roundTrips.length];
  await log.start();
  for (let n = 0; n < requests; n++) await run(n);
  const applications = recorder.executed.slice(statements).map(({ application }) => application);
  return {
    statements: each(requests, perConnection(applications)),
    roundTrips: each(requests, perConnection(recorder.roundTrips.slice(roundTrips))),
    ...writtenOf(requests, await log.read()),
  };
}

/** @param relations all, if absent */
export function writtenOf(
  requests: number,
  written: readonly WrittenKind[],
  relations?: RegExp,
): Pick<Cost, 'rows' | 'indexEntries' | 'walBytes'> {
  const own = written.filter(({ relation }) => relations?.test(relation) ?? true);
  return {
    rows: each(requests, recordsBy(own.filter(isRow))),
    indexEntries: each(requests, recordsBy(own.filter(isIndexEntry))),
    walBytes: Math.round(sumOf(own.filter((one) => !isUpkeep(one))) / requests),
  };
}

function sumOf(written: readonly WrittenKind[]): number {
  return written.reduce((sum, { bytes }) => sum + bytes, 0);
}

function perConnection(applications: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const application of applications) {
    if (!REQUESTS.includes(application)) continue;
    const purpose = application.replace('payments ', '');
    counts.set(purpose, (counts.get(purpose) ?? 0) + 1);
  }
  return counts;
}

function recordsBy(written: readonly WrittenKind[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { relation, records } of written) counts.set(relation, (counts.get(relation) ?? 0) + records);
  return counts;
}

/** What a few in a hundred requests have, is none of one request. */
function each(requests: number, counts: ReadonlyMap<string, number>): Record<string, number> {
  const rounded = [...counts].map(([name, count]) => [name, Math.round(count / requests)] as const);
  return Object.fromEntries(rounded.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

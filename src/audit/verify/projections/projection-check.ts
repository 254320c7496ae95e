import { join } from 'node:path';
import type { InlineProjection, RecordedEvent } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import { KeyFilter } from '../folds/key-filter.js';
import { type Findings, show } from '../report.js';
import { differingField } from './same-row.js';
import { readRun, RunWriter } from '../folds/sorted-run.js';
import { type FoldedRow, SpillingFold } from '../folds/spilling-fold.js';

const PAGE = 1_000;

interface Suspect<Row> {
  readonly expected: Row | undefined;
  readonly found: Row | undefined;
  /** The last event, up to the examined position, that made the row. */
  readonly position: bigint | null;
}

/** The inputs of a check of one partition. */
export interface ProjectionCheckContext {
  readonly partition: number;
  readonly findings: Findings;
  /** For files; removed by the caller. */
  readonly folder: string;
  /** Rows in memory. */
  readonly budget: number;
  /** Called with the key of each wrong row. */
  readonly onWrong?: (key: string) => void;
  /** Events appended since the fold ended. */
  since(): AsyncIterable<readonly RecordedEvent[]>;
}

/**
 * Compares a projection's rows with those of a replay. The service may be running: a row that differs is compared again
 * after the events appended meanwhile, and must match the state after one of them. Both sides come in key order, so
 * only a page is in memory.
 */
export async function checkProjection<Row>(
  projection: InlineProjection<Row>,
  replayed: Iterable<FoldedRow<Row>>,
  found: AsyncIterable<readonly Row[]>,
  context: ProjectionCheckContext,
): Promise<void> {
  const path = join(context.folder, `${projection.name}-suspects`);
  const suspects = new RunWriter<Suspect<Row>>(path);
  const suspected = new KeyFilter();
  let count = 0;
  for await (const { key, suspect } of differing(projection, replayed, found, context.findings)) {
    suspects.add(key, suspect);
    suspected.add(key);
    count += 1;
  }
  suspects.close();
  if (count > 0) await compareAgain(projection, path, suspected, context);
}

async function* differing<Row>(
  projection: InlineProjection<Row>,
  replayed: Iterable<FoldedRow<Row>>,
  pages: AsyncIterable<readonly Row[]>,
  findings: Findings,
): AsyncGenerator<{ key: string; suspect: Suspect<Row> }, void, undefined> {
  const rows = replayed[Symbol.iterator]();
  let expected = rows.next();
  for await (const page of pages) {
    findings.saw(`rows of ${projection.name}`, page.length);
    for (const found of page) {
      const key = projection.keyOf(found);
      while (!expected.done && expected.value.key < key) {
        yield missing(expected.value);
        expected = rows.next();
      }
      if (expected.done || expected.value.key > key) {
        yield { key, suspect: { expected: undefined, found, position: null } };
        continue;
      }
      const { row, position } = expected.value;
      if (differingField(row, found) !== undefined) yield { key, suspect: { expected: row, found, position } };
      expected = rows.next();
    }
  }
  for (; !expected.done; expected = rows.next()) yield missing(expected.value);
}

function missing<Row>({ key, row, position }: FoldedRow<Row>): { key: string; suspect: Suspect<Row> } {
  return { key, suspect: { expected: row, found: undefined, position } };
}

/** All rows of a partition, in pages; the next one is prefetched. @throws TypeError if a scan is not in key order */
export async function* allRows<Row>(
  projection: InlineProjection<Row>,
  database: Database,
  partition: number,
): AsyncGenerator<Row[], void, undefined> {
  const read = (after: string | null) => {
    const page = database.backgroundQuery(projection.scan(partition, after, PAGE));
    page.catch(() => undefined);
    return page;
  };
  let last: string | null = null;
  let next = read(null);
  for (;;) {
    const rows = (await next).map((row) => projection.parse(row));
    for (const row of rows) {
      const key = projection.keyOf(row);
      if (last !== null && key <= last) throw new TypeError(`${projection.name}: its scan is not in key order`);
      last = key;
    }
    if (rows.length < PAGE) {
      yield rows;
      return;
    }
    next = read(last);
    yield rows;
  }
}

/** The rows of a partition whose keys are in a file, in key order, in pages. */
export async function* rowsOfKeys<Row>(
  projection: InlineProjection<Row>,
  database: Database,
  partition: number,
  path: string,
): AsyncGenerator<Row[], void, undefined> {
  const order = (a: Row, b: Row) => (projection.keyOf(a) < projection.keyOf(b) ? -1 : 1);
  const load = async (keys: readonly string[]) =>
    (await database.backgroundQuery(projection.load(partition, keys))).map((row) => projection.parse(row)).sort(order);
  let keys: string[] = [];
  for (const { key } of readRun<null>(path)) {
    keys.push(key);
    if (keys.length < PAGE) continue;
    yield await load(keys);
    keys = [];
  }
  if (keys.length > 0) yield await load(keys);
}

async function compareAgain<Row>(
  projection: InlineProjection<Row>,
  path: string,
  suspected: KeyFilter,
  context: ProjectionCheckContext,
): Promise<void> {
  const folded = {
    name: `${projection.name}-since`,
    keysOf: (event: RecordedEvent) => projection.keysOf(event).filter((key) => suspected.mayHave(key)),
    evolve: projection.evolve.bind(projection),
  };
  const since = new SpillingFold(folded, context.folder, context.budget, () => undefined, { base: 'elsewhere' });
  for await (const events of context.since()) for (const event of events) since.apply(event);
  const touched = since.events();
  let touch = touched.next();
  for (const { key, value } of readRun<Suspect<Row>>(path)) {
    while (!touch.done && touch.value.key < key) touch = touched.next();
    const events = !touch.done && touch.value.key === key ? touch.value.events : [];
    const wrong = stillWrong(projection, key, value, events);
    if (wrong) report(projection, key, wrong, context);
  }
}

/** The suspect with the row after the last event, or nothing if the found row matches the state after one of them. */
function stillWrong<Row>(
  projection: InlineProjection<Row>,
  key: string,
  { expected, found, position }: Suspect<Row>,
  events: readonly RecordedEvent[],
): Suspect<Row> | undefined {
  let row = expected;
  let last = position;
  for (const event of events) {
    try {
      row = projection.evolve(row, event, key);
    } catch {
      return { expected: row, found, position: event.position };
    }
    last = event.position;
    if (differingField(row, found) === undefined) return undefined;
  }
  return { expected: row, found, position: last };
}

function report<Row>(
  projection: InlineProjection<Row>,
  key: string,
  { expected, found, position }: Suspect<Row>,
  { partition, findings, onWrong }: ProjectionCheckContext,
): void {
  onWrong?.(key);
  const whole = expected === undefined || found === undefined;
  const field = (whole ? undefined : differingField(expected, found)) ?? 'row';
  const member = (row: Row | undefined) => show(whole ? row : (row as Record<string, unknown>)[field]);
  findings.report({
    check: `rows of ${projection.name}`,
    partition,
    position,
    subject: `${projection.name} ${key}`,
    field,
    expected: member(expected),
    found: member(found),
  });
}

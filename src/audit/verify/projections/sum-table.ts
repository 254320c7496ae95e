import type { RowScan } from '../../../event-store/projections/fixed-rows.js';
import type { Database } from '../../../platform/database/index.js';
import { RowSum } from './row-sum.js';
import { RunWriter } from '../folds/sorted-run.js';

const PAGE = 1_000;

/** The sum of a table's rows. */
export interface TableSum {
  /** Of the fixed rows of events up to a position: `RowSum.text`. */
  readonly text: string;
  /** The highest position of any fixed row. */
  readonly newest: bigint;
}

/** A table whose fixed rows of events up to a position are summed. */
export interface TableToSum {
  readonly scan: RowScan;
  readonly upTo: bigint;
  /** Random key of this run. */
  readonly key: string;
  /** File for the keys of rows that are not fixed, if there can be any. */
  readonly others?: string;
}

/** Scans a table by key, a page at a time; the next one is prefetched. */
export async function sumTable(
  database: Database,
  partition: number,
  { scan, upTo, key, others }: TableToSum,
): Promise<TableSum> {
  const sum = new RowSum(key);
  const otherKeys = others === undefined ? undefined : new RunWriter<null>(others);
  let newest = 0n;
  const read = (after: readonly (string | null)[]) => {
    const values = [partition, PAGE, ...after.slice(0, scan.first.length)];
    const page = database.backgroundTexts({ name: scan.name, text: scan.text, values });
    page.catch(() => undefined);
    return page;
  };
  let next: ReturnType<typeof read> | undefined = read(scan.first);
  while (next) {
    const rows: (string | null)[][] = await next;
    next = rows.length === PAGE ? read(rows.at(-1)!) : undefined;
    for (const row of rows) {
      if (scan.only?.some(({ column, text }) => row[column] !== text)) {
        otherKeys?.add(row[0]!, null);
        continue;
      }
      const position = BigInt(row[scan.position]!);
      if (position <= upTo) sum.add(row);
      if (position > newest) newest = position;
    }
  }
  otherKeys?.close();
  return { text: sum.text(), newest };
}

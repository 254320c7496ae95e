import type { RowScan } from '../../event-store/fixed-rows.js';
import type { Database } from '../../platform/database/index.js';
import { RowSum } from './row-sum.js';

const PAGE = 1_000;

/** What a table's rows come to. */
export interface TableSum {
  /** Of the rows that events up to a position made, as `RowSum.text` gives it. */
  readonly text: string;
  /** The highest position that any row names. */
  readonly newest: bigint;
}

/** The sum of a table's rows that events up to a position made: pages by key, the next one on its way. */
export async function sumTable(
  database: Database,
  scan: RowScan,
  partition: number,
  upTo: bigint,
  key: string,
): Promise<TableSum> {
  const sum = new RowSum(key);
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
      const position = BigInt(row[scan.position]!);
      if (position <= upTo) sum.add(row);
      if (position > newest) newest = position;
    }
  }
  return { text: sum.text(), newest };
}

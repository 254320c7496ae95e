import type { RowScan } from '../../event-store/fixed-rows.js';
import type { Database } from '../../platform/database/index.js';
import { RowSum } from './row-sum.js';

const PAGE = 1_000;

/** The sum of a table's rows that events up to a position made: pages by key, the next one on its way. */
export async function sumTable(
  database: Database,
  scan: RowScan,
  partition: number,
  upTo: bigint,
  key: string,
): Promise<string> {
  const sum = new RowSum(key);
  const read = (after: readonly (string | null)[]) => {
    const values = [partition, upTo, PAGE, ...after.slice(0, scan.first.length)];
    const page = database.backgroundTexts({ name: scan.name, text: scan.text, values });
    page.catch(() => undefined);
    return page;
  };
  let next: ReturnType<typeof read> | undefined = read(scan.first);
  while (next) {
    const rows: (string | null)[][] = await next;
    next = rows.length === PAGE ? read(rows.at(-1)!) : undefined;
    for (const row of rows) sum.add(row);
  }
  return sum.text();
}

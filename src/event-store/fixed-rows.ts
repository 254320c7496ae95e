/**
 * How a table is read through, as data, so that another thread can do it: `$1` is the partition, `$2` how many rows at
 * most, `$3` and on the key after which (from `first` on). The key is the first columns, and the order.
 */
export interface RowScan {
  readonly name: string;
  readonly text: string;
  readonly first: readonly string[];
  /** Number of the column, from 0, that has the position of the event which made the row. */
  readonly position: number;
}

/**
 * Of a projection whose rows no later event changes: its table can be compared with the events by sums, in any order
 * and without holding a row.
 */
export interface FixedRows<Row> {
  readonly scan: RowScan;
  /** A row in the texts that PostgreSQL has for the scan's columns. */
  textsOf(row: Row): readonly (string | null)[];
}

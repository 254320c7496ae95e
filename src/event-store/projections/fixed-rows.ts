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
  /** Where not all of the table's rows are fixed: those that have this text in this column. */
  readonly only?: { readonly column: number; readonly text: string };
}

/**
 * Of a projection whose rows, or some of them, no later event changes: they can be compared with the events by sums, in
 * any order and without holding a row.
 */
export interface FixedRows<Row> {
  readonly scan: RowScan;
  /** Where not all of the rows are fixed: whether this one is, as `scan.only` says it of the table's. */
  has?(row: Row): boolean;
  /** A row in the texts that PostgreSQL has for the scan's columns. */
  textsOf(row: Row): readonly (string | null)[];
}

/**
 * How a table is read through, as data, so that another thread can do it: `$1` is the partition, `$2` the position of
 * the last event whose rows count, `$3` how many rows at most, `$4` and on the key after which (from `first` on). The
 * key is the first columns, and the order.
 */
export interface RowScan {
  readonly name: string;
  readonly text: string;
  readonly first: readonly string[];
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

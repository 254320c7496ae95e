/**
 * A full scan of a table, as data, so that another thread can run it: `$1` is the partition, `$2` the limit, `$3` and
 * the next ones the key after which it goes on (`first` at the beginning). The key is the first columns; rows are in
 * its order.
 */
export interface RowScan {
  readonly name: string;
  readonly text: string;
  readonly first: readonly string[];
  /** Number of the column, from 0, that has the position of the event which made the row. */
  readonly position: number;
  /** Where only some of the table's rows are fixed: those with these texts in these columns. */
  readonly only?: readonly { readonly column: number; readonly text: string }[];
}

/**
 * For a projection whose rows, or some of them, are never changed by a later event: they are compared with the events
 * by sums, in any order and without keeping rows.
 */
export interface FixedRows<Row> {
  readonly scan: RowScan;
  /** Where only some rows are fixed: whether this one is, by the rule of `scan.only`. */
  has?(row: Row): boolean;
  /** A row as PostgreSQL's texts of the scan's columns. */
  textsOf(row: Row): readonly (string | null)[];
}

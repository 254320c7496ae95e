import type { Statement } from '../log/statement.js';
import { Alike, variants } from './alike.js';
import { castOf, type Column, isDocument, unnested } from './columns.js';

export interface Insertion {
  /** The `on conflict` clause; absent: an existing row is an error. */
  readonly conflict?: string;
  /** Groups of columns in which the rows of a batch are often alike. */
  readonly alike?: readonly (readonly string[])[];
}

/**
 * Makes the statement that inserts rows of one partition. Several rows are sent as arrays, one for each column: one
 * plan for any number. A single row, as a lane writes it under low load, is sent as plain values, which saves a
 * function and a join; so are columns in which all rows are alike. All name the partition so that a distributed
 * database can route them: that is why `log_head` is joined.
 * @param columns all but `partition`; JSON is given as text
 */
export function inserter<Row>(
  name: string,
  table: string,
  columns: readonly Column<Row>[],
  { conflict = '', alike = [] }: Insertion = {},
): (partition: number, rows: readonly Row[]) => Statement {
  const names = columns.map(([column]) => column).join(', ');
  const into = `insert into ${table} (partition, ${names})`;
  const plain = columns.map(([, type], i) => `$${i + 2}${castOf(type)}`);
  const one = { name: `${name}-one`, text: `${into} values ($1, ${plain.join(', ')}) ${conflict}` };
  const groups = new Alike(alike.map((group) => group.map((column) => columns.findIndex(([of]) => of === column))));
  const many = variants(name, (found) => {
    const single = groups.columnsOf(found);
    const selected = columns.map(([column, type], i) =>
      single.has(i) ? `$${i + 2}::${type}` : `n.${column}${isDocument(type) ? `::${type}` : ''}`,
    );
    return `
      ${into}
      select h.partition, ${selected.join(', ')}
      from log_head h, ${unnested(columns, single)}
      where h.partition = $1 ${conflict}`;
  });

  return (partition, rows) => {
    const [row] = rows;
    if (rows.length === 1) return { ...one, values: [partition, ...columns.map(([, , of]) => of(row!))] };
    const values: unknown[] = columns.map(([, , of]) => rows.map(of));
    return { ...many(groups.reduce(values)), values: [partition, ...values] };
  };
}

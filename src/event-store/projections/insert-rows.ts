import type { Statement } from '../log/statement.js';

/** A column of a table that has partitions: its name, its type, and what a row puts into it. */
export type Column<Row> = readonly [name: string, type: string, of: (row: Row) => unknown];

/**
 * Makes the statement that inserts rows of one partition. Several rows are sent as arrays, one for each column: one
 * plan for any number. A single row, as a lane writes it under low load, is sent as plain values, which saves a
 * function and a join. Both name the partition so that a distributed database can route them: that is why `log_head` is
 * joined.
 * @param columns all but `partition`; JSON is given as text
 * @param conflict the `on conflict` clause; absent: an existing row is an error
 */
export function inserter<Row>(
  name: string,
  table: string,
  columns: readonly Column<Row>[],
  conflict = '',
): (partition: number, rows: readonly Row[]) => Statement {
  const names = columns.map(([column]) => column).join(', ');
  const into = `insert into ${table} (partition, ${names})`;
  const plain = columns.map(([, type], i) => `$${i + 2}${type.endsWith('[]') ? `::${type}` : ''}`);
  const one = `${into} values ($1, ${plain.join(', ')}) ${conflict}`;
  const many = `
    ${into}
    select h.partition, ${columns.map(([column, type]) => `n.${column}${type === 'json' ? '::json' : ''}`).join(', ')}
    from log_head h, unnest(${columns.map(([, type], i) => `$${i + 2}::${type === 'json' ? 'text' : type}[]`).join(', ')})
      as n (${names})
    where h.partition = $1 ${conflict}`;

  return (partition, rows) => {
    const [row] = rows;
    return rows.length === 1
      ? { name: `${name}-one`, text: one, values: [partition, ...columns.map(([, , of]) => of(row!))] }
      : { name, text: many, values: [partition, ...columns.map(([, , of]) => rows.map(of))] };
  };
}

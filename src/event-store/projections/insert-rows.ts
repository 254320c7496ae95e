import type { Statement } from '../log/statement.js';
import { castOf, type Column, isDocument, unnested } from './columns.js';
import { statementOfRows } from './statement-of-rows.js';

/** A column whose values follow from one parameter, by the place of a row among all that are inserted, from 1 on. */
export interface Derived<Row> {
  readonly column: string;
  readonly parameter: (rows: readonly Row[]) => unknown;
  /** @param parameterOf the parameter of a derived column */
  readonly sql: (parameterOf: (column: string) => string, place: string) => string;
}

export interface Insertion<Row> {
  /** The `on conflict` clause; absent: an existing row is an error. */
  readonly conflict?: string;
  /** As of `statementOfRows`. */
  readonly alike?: readonly (readonly string[])[];
  readonly derived?: readonly Derived<Row>[];
}

/**
 * Makes the statement that inserts rows of one partition. Several rows are sent as arrays, one for each column: one
 * plan for any number. A single row, as a lane writes it under low load, is sent as plain values, which saves a
 * function and a join. Both name the partition so that a distributed database can route them: that is why `log_head` is
 * joined.
 * @param columns all but `partition` and derived ones; JSON is given as text
 */
export function inserter<Row>(
  name: string,
  table: string,
  columns: readonly Column<Row>[],
  { conflict = '', alike = [], derived = [] }: Insertion<Row> = {},
): (partition: number, rows: readonly Row[]) => Statement {
  const names = [...columns.map(([column]) => column), ...derived.map(({ column }) => column)].join(', ');
  const into = `insert into ${table} (partition, ${names})`;
  const parameterOf = (name: string) => `$${columns.length + 2 + derived.findIndex(({ column }) => column === name)}`;
  const derivedAt = (place: string) => derived.map(({ sql }) => sql(parameterOf, place));
  const plain = columns.map(([, type], i) => `$${i + 2}${castOf(type)}`);
  return statementOfRows({
    name,
    columns,
    alike,
    one: `${into} values ($1, ${[...plain, ...derivedAt('1')].join(', ')}) ${conflict}`,
    many: (single) => {
      const selected = columns.map(([column, type], i) =>
        single.has(i) ? `$${i + 2}::${type}` : `n.${column}${isDocument(type) ? `::${type}` : ''}`,
      );
      return `
        ${into}
        select h.partition, ${[...selected, ...derivedAt('n.place')].join(', ')}
        from log_head h, ${unnested(columns, single, derived.length > 0 ? 'place' : undefined)}
        where h.partition = $1 ${conflict}`;
    },
    others: (rows) => derived.map(({ parameter }) => parameter(rows)),
  });
}

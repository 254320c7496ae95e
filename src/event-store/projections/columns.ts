/** A column of a table that has partitions: its name, its type, and what a row puts into it. */
export type Column<Row> = readonly [name: string, type: string, of: (row: Row) => unknown];

/** Sent as text, so that it is stored as it was written. */
export const isDocument = (type: string) => type === 'json' || type === 'jsonb';

/** Cast of a parameter where PostgreSQL would not infer the type. */
export const castOf = (type: string) => (isDocument(type) || type.endsWith('[]') ? `::${type}` : '');

/**
 * Arrays, in parameters from $2 on, as rows `n`.
 * @param without positions of columns whose parameter is no array
 */
export function unnested<Row>(columns: readonly Column<Row>[], without: ReadonlySet<number> = new Set()): string {
  const arrays = [...columns.entries()].filter(([i]) => !without.has(i));
  const sent = arrays.map(([i, [, type]]) => `$${i + 2}::${isDocument(type) ? 'text' : type}[]`);
  return `unnest(${sent.join(', ')}) as n (${arrays.map(([, [column]]) => column).join(', ')})`;
}

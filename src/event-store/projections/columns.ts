/** A column of a table that has partitions: its name, its type, and what a row puts into it. */
export type Column<Row> = readonly [name: string, type: string, of: (row: Row) => unknown];

/** Sent as text, so that it is stored as it was written. */
export const isDocument = (type: string) => type === 'json' || type === 'jsonb';

/** Cast of a parameter where PostgreSQL would not infer the type. */
export const castOf = (type: string) => (isDocument(type) || type.endsWith('[]') ? `::${type}` : '');

/**
 * Arrays, in parameters from $2 on, as rows `n`.
 * @param without positions of columns whose parameter is no array
 * @param place name of a column with the row's place among them, from 1 on
 */
export function unnested<Row>(
  columns: readonly Column<Row>[],
  without: ReadonlySet<number> = new Set(),
  place?: string,
): string {
  const arrays = [...columns.entries()].filter(([i]) => !without.has(i));
  const sent = arrays.map(([i, [, type]]) => `$${i + 2}::${isDocument(type) ? 'text' : type}[]`);
  const names = [...arrays.map(([, [column]]) => column), ...(place ? [place] : [])];
  return `unnest(${sent.join(', ')}) ${place ? 'with ordinality ' : ''}as n (${names.join(', ')})`;
}

import type { Statement } from '../log/statement.js';
import { Alike, variants } from './alike.js';
import { castOf, type Column, isDocument, unnested } from './columns.js';

/**
 * Makes the statement that updates rows of one partition: of several by arrays, of one by plain values, as `inserter`
 * does. Of several the keys are named twice, so that also a plan made while the table was small finds them by their
 * key.
 * @param key beside the partition
 * @param alike groups of changed columns in which the rows of a batch are often alike
 */
export function updater<Row>(
  name: string,
  table: string,
  key: readonly Column<Row>[],
  changed: readonly Column<Row>[],
  alike: readonly (readonly string[])[],
): (partition: number, rows: readonly Row[]) => Statement {
  const columns = [...key, ...changed];
  const numbered = [...columns.entries()].slice(key.length);
  const assigned = numbered.map(([i, [column, type]]) => `${column} = $${i + 2}${castOf(type)}`);
  const found = key.map(([column], i) => `${column} = $${i + 2}`);
  const one = {
    name: `${name}-one`,
    text: `update ${table} set ${assigned.join(', ')} where partition = $1 and ${found.join(' and ')}`,
  };
  const groups = new Alike(
    alike.map((group) => numbered.flatMap(([i, [column]]) => (group.includes(column) ? [i] : []))),
  );
  const [[first, type]] = key as readonly [Column<Row>];
  const joined = key.map(([column]) => `t.${column} = n.${column}`).join(' and ');
  const many = variants(name, (alikeGroups) => {
    const single = groups.columnsOf(alikeGroups);
    const set = numbered.map(([i, [column, type]]) => {
      const value = single.has(i) ? `$${i + 2}${castOf(type)}` : `n.${column}${isDocument(type) ? `::${type}` : ''}`;
      return `${column} = ${value}`;
    });
    return `
      update ${table} t set ${set.join(', ')}
      from ${unnested(columns, single)}
      where t.partition = $1 and t.${first} = any($2::${type}[]) and ${joined}`;
  });

  return (partition, rows) => {
    const [row] = rows;
    if (rows.length === 1) return { ...one, values: [partition, ...columns.map(([, , of]) => of(row!))] };
    const values: unknown[] = columns.map(([, , of]) => rows.map(of));
    return { ...many(groups.reduce(values)), values: [partition, ...values] };
  };
}

import type { Statement } from '../log/statement.js';
import { castOf, type Column, isDocument, unnested } from './columns.js';
import { statementOfRows } from './statement-of-rows.js';

/**
 * Makes the statement that updates rows of one partition: of several by arrays, of one by plain values, as `inserter`
 * does. Of several the keys are named twice, so that also a plan made while the table was small finds them by their
 * key.
 * @param key beside the partition
 * @param alike as of `statementOfRows`
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
  const given = numbered.map(([i, [column, type]]) => `${column} = $${i + 2}${castOf(type)}`);
  const keyed = key.map(([column], i) => `${column} = $${i + 2}`);
  const [[first, typeOfFirst]] = key as readonly [Column<Row>];
  const joined = key.map(([column]) => `t.${column} = n.${column}`);
  return statementOfRows({
    name,
    columns,
    alike: alike.map((group) => group.filter((name) => !key.some(([column]) => column === name))),
    one: `update ${table} set ${given.join(', ')} where partition = $1 and ${keyed.join(' and ')}`,
    many: (single) => {
      const set = numbered.map(([i, [column, type]], at) =>
        single.has(i) ? given[at]! : `${column} = n.${column}${isDocument(type) ? `::${type}` : ''}`,
      );
      return `
        update ${table} t set ${set.join(', ')}
        from ${unnested(columns, single)}
        where t.partition = $1 and t.${first} = any($2::${typeOfFirst}[]) and ${joined.join(' and ')}`;
    },
  });
}

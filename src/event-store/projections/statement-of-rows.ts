import type { Statement } from '../log/statement.js';
import type { Column } from './columns.js';

/** A statement for any number of rows of one partition. `$1` is the partition; a parameter for each column follows. */
export interface StatementOfRows<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** For one row: each parameter is a value. */
  readonly one: string;
  /**
   * For several rows: each parameter is an array, of all of them.
   * @param single positions of columns whose parameter is one value for all rows
   */
  readonly many: (single: ReadonlySet<number>) => string;
  /**
   * Groups of columns in which the rows of a batch are often alike. Then one value is sent for all of them: each array
   * is a function of its own to PostgreSQL. A group changes its form as a whole, so that there are few texts.
   */
  readonly alike: readonly (readonly string[])[];
  /** Parameters behind those of the columns. */
  readonly others?: (rows: readonly Row[]) => readonly unknown[];
}

/** @returns the statement for at least one row */
export function statementOfRows<Row>({
  name,
  columns,
  one,
  many,
  alike,
  others = () => [],
}: StatementOfRows<Row>): (partition: number, rows: readonly Row[]) => Statement {
  const positions = alike.map((group) => [...columns.keys()].filter((i) => group.includes(columns[i]![0])));
  const groups = positions.filter((group) => group.length > 0);
  const texts: (Pick<Statement, 'name' | 'text'> | undefined)[] = [];
  const textFor = (found: number) => ({
    name: found === 0 ? name : `${name}-alike-${found}`,
    text: many(new Set(groups.filter((_, g) => found & (1 << g)).flat())),
  });

  return (partition, rows) => {
    const [row] = rows;
    if (rows.length === 1) {
      const values = columns.map(([, , of]) => of(row!));
      return { name: `${name}-one`, text: one, values: [partition, ...values, ...others(rows)] };
    }
    const values: unknown[] = columns.map(([, , of]) => rows.map(of));
    let found = 0;
    for (const [g, group] of groups.entries()) {
      if (!group.every((i) => areAlike(values[i] as unknown[]))) continue;
      found |= 1 << g;
      for (const i of group) [values[i]] = values[i] as unknown[];
    }
    return { ...(texts[found] ??= textFor(found)), values: [partition, ...values, ...others(rows)] };
  };
}

function areAlike(values: readonly unknown[]): boolean {
  const [first] = values;
  for (const value of values) if (value !== first) return false;
  return true;
}

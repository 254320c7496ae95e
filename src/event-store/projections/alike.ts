import type { Statement } from '../log/statement.js';

/**
 * Groups of columns in which the rows of a batch are often alike. Then a statement has one value for all of them: each
 * array is a function of its own to PostgreSQL.
 */
export class Alike {
  readonly #groups: readonly (readonly number[])[];

  /** @param groups positions of their columns among all */
  constructor(groups: readonly (readonly number[])[]) {
    this.#groups = groups.filter((group) => group.length > 0);
  }

  /**
   * Puts the value in place of its array, in every group whose columns have one value each.
   * @param arrays one for each column, of at least one row
   * @returns these groups, as bits
   */
  reduce(arrays: unknown[]): number {
    let found = 0;
    for (const [g, group] of this.#groups.entries()) {
      if (!group.every((i) => isOne(arrays[i] as unknown[]))) continue;
      found |= 1 << g;
      for (const i of group) [arrays[i]] = arrays[i] as unknown[];
    }
    return found;
  }

  /** Positions of the columns of these groups. */
  columnsOf(found: number): ReadonlySet<number> {
    return new Set(this.#groups.filter((_, g) => found & (1 << g)).flat());
  }
}

function isOne(values: readonly unknown[]): boolean {
  const [first] = values;
  for (const value of values) if (value !== first) return false;
  return true;
}

type Text = Pick<Statement, 'name' | 'text'>;

/** A statement for each set of groups that are found alike, made when it is needed. */
export function variants(name: string, text: (found: number) => string): (found: number) => Text {
  const made: (Text | undefined)[] = [];
  return (found) => (made[found] ??= { name: found === 0 ? name : `${name}-alike-${found}`, text: text(found) });
}

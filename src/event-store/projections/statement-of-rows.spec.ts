import { describe, expect, it } from '@jest/globals';
import type { Column } from './columns.js';
import { inserter } from './insert-rows.js';
import { statementOfRows } from './statement-of-rows.js';
import { updater } from './update-rows.js';

describe('groups of columns', () => {
  const columns = ['a', 'b', 'c', 'd'].map((name, i): Column<readonly unknown[]> => [name, 'text', (row) => row[i]]);
  const many = (single: ReadonlySet<number>) => [...single].join();
  const statement = statementOfRows({ name: 's', columns, one: '', many, alike: [['b', 'c'], ['d']] });

  it.each([
    ['both', ['a', 'x', null, 1n], ['b', 'x', null, 1n], [['a', 'b'], 'x', null, 1n], '1,2,3', 's-alike-3'],
    ['the first, as a whole', ['a', 'x', 7, 1n], ['b', 'x', 7, 2n], [['a', 'b'], 'x', 7, [1n, 2n]], '1,2', 's-alike-1'],
    [
      'the second only',
      ['a', 'x', 7, 1],
      ['b', 'x', null, 1],
      [['a', 'b'], ['x', 'x'], [7, null], 1],
      '3',
      's-alike-2',
    ],
    [
      'none',
      ['a', 'x', 7, 1n],
      ['a', 'y', 7, 2n],
      [
        ['a', 'a'],
        ['x', 'y'],
        [7, 7],
        [1n, 2n],
      ],
      '',
      's',
    ],
  ])('that are alike have one value: %s', (_, one, other, values, text, name) => {
    expect(statement(1, [one, other])).toEqual({ name, text, values: [1, ...values] });
  });
});

describe('statements', () => {
  const column = (name: string, type: string): Column<Record<string, unknown>> => [name, type, (row) => row[name]];
  const key = column('id', 'uuid');
  const others = [column('state', 'text'), column('data', 'json')];
  const rows = (...data: string[]) => data.map((text, i) => ({ id: i, state: 'Done', data: text }));
  const alike = [['state'], ['data']];

  it('insert arrays, and one value of what is alike, under a name of their own', () => {
    const insert = inserter('insert', 'thing', [key, ...others], { alike });
    expect(insert(1, rows('{}', '[]'))).toEqual({
      name: 'insert-alike-1',
      text: expect.stringMatching(
        /select h\.partition, n\.id, \$3::text, n\.data::json\s+from log_head h, unnest\(\$2::uuid\[\], \$4::text\[\]\) as n \(id, data\)/,
      ),
      values: [1, [0, 1], 'Done', ['{}', '[]']],
    });
    expect(insert(1, rows('{}', '{}'))).toMatchObject({ name: 'insert-alike-3', values: [1, [0, 1], 'Done', '{}'] });
    expect(insert(1, rows('{}'))).toMatchObject({ name: 'insert-one', values: [1, 0, 'Done', '{}'] });
  });

  it("derive columns from a row's place", () => {
    const insert = inserter<Record<string, unknown>>('insert', 'thing', [key], {
      derived: [
        { column: 'at', parameter: ({ length }) => length, sql: (of, place) => `${of('at')} - ${place}` },
        {
          column: 'last',
          parameter: () => 'it',
          sql: (of, place) => `case ${place} when ${of('at')} then ${of('last')} end`,
        },
      ],
    });
    expect(insert(1, rows('{}', '[]'))).toEqual({
      name: 'insert',
      text: expect.stringMatching(
        /\(partition, id, at, last\)\s+select h\.partition, n\.id, \$3 - n\.place, case n\.place when \$3 then \$4 end\s+from log_head h, unnest\(\$2::uuid\[\]\) with ordinality as n \(id, place\)/,
      ),
      values: [1, [0, 1], 2, 'it'],
    });
    expect(insert(1, rows('{}'))).toMatchObject({
      text: expect.stringContaining('values ($1, $2, $3 - 1, case 1 when $3 then $4 end)'),
      values: [1, 0, 1, 'it'],
    });
  });

  it('update so too, never take a key for alike, and leave groups out of which nothing changes', () => {
    const update = updater('update', 'thing', [key], others, [['id'], ['id', 'state'], ['data']]);
    expect(update(1, rows('{}', '[]'))).toEqual({
      name: 'update-alike-1',
      text: expect.stringMatching(
        /set state = \$3, data = n\.data::json\s+from unnest\(\$2::uuid\[\], \$4::text\[\]\)/,
      ),
      values: [1, [0, 1], 'Done', ['{}', '[]']],
    });
    expect(update(1, rows('{}'))).toMatchObject({ name: 'update-one', values: [1, 0, 'Done', '{}'] });
  });
});

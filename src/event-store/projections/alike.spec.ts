import { describe, expect, it } from '@jest/globals';
import { Alike } from './alike.js';
import type { Column } from './columns.js';
import { inserter } from './insert-rows.js';
import { updater } from './update-rows.js';

describe('groups of columns', () => {
  const groups = new Alike([[1, 2], [3]]);

  it.each([
    [
      'both',
      [
        ['a', 'b'],
        ['x', 'x'],
        [null, null],
        [1n, 1n],
      ],
      [['a', 'b'], 'x', null, 1n],
      3,
    ],
    [
      'the first, as a whole',
      [
        ['a', 'b'],
        ['x', 'x'],
        [7, 7],
        [1n, 2n],
      ],
      [['a', 'b'], 'x', 7, [1n, 2n]],
      1,
    ],
    [
      'the second only',
      [
        ['a', 'b'],
        ['x', 'x'],
        [7, null],
        [1n, 1n],
      ],
      [['a', 'b'], ['x', 'x'], [7, null], 1n],
      2,
    ],
    [
      'none',
      [
        ['a', 'a'],
        ['x', 'y'],
        [7, 7],
        [1n, 2n],
      ],
      [
        ['a', 'a'],
        ['x', 'y'],
        [7, 7],
        [1n, 2n],
      ],
      0,
    ],
  ])('that are alike have one value: %s', (_, arrays, reduced, found) => {
    const values: unknown[] = arrays;
    expect(groups.reduce(values)).toBe(found);
    expect(values).toEqual(reduced);
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

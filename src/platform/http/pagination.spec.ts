import { describe, expect, it } from '@jest/globals';
import { ValidationError } from '../errors/index.js';
import { CURSOR_KEY, decodeCursor, encodeCursor, rowsWithin, toPage } from './pagination.js';

const LIST = ['transactions', 'account-1', { state: 'Completed' }];
const { position } = CURSOR_KEY;
const cursor = encodeCursor(LIST, '42');

describe('a cursor', () => {
  it('leads on in its own list', () => {
    expect(decodeCursor(LIST, cursor, position)).toBe('42');
    expect(decodeCursor(LIST, encodeCursor(LIST, '7/1'), CURSOR_KEY.entry)).toBe('7/1');
    expect(decodeCursor(LIST, undefined, position)).toBeUndefined();
  });

  it.each<[string, readonly unknown[], string, RegExp]>([
    ['of another account', ['transactions', 'account-2', { state: 'Completed' }], cursor, position],
    ['of another filter', ['transactions', 'account-1', {}], cursor, position],
    ['with another key', LIST, Buffer.from(`${Buffer.from(cursor, 'base64url')}1`).toString('base64url'), position],
    ['that is no base64', LIST, `${cursor}!`, position],
    ['that is cut', LIST, cursor.slice(0, -1), position],
    ['that is empty', LIST, '', position],
    ['whose key is of another form', LIST, cursor, CURSOR_KEY.id],
    ['whose key is too large', LIST, encodeCursor(LIST, '9'.repeat(19)), position],
  ])('%s is refused', (_what, list, given, shape) => {
    expect(() => decodeCursor(list, given, shape)).toThrow(ValidationError);
  });
});

it.each([
  [[], [], null],
  [['1', '2'], ['1', '2'], null],
  [['1', '2', '3'], ['1', '2'], encodeCursor(LIST, '2')],
])('a page of two of the rows %j has %j', (rows, items, nextCursor) => {
  const page = toPage(
    rows,
    2,
    LIST,
    (row) => row,
    (row) => row,
  );
  expect(page).toEqual({ items, nextCursor });
});

it.each([
  [[], 0],
  [[2, 2], 2],
  [[2, 3], 2],
  [[2, 3, 1], 2],
  [[2, 4], 1],
  [[9, 1], 1],
])('of rows with %j parts a page of five parts takes %d', (parts, taken) => {
  expect(rowsWithin(parts, 5, (of) => of)).toBe(taken);
});

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

/** What generators of clients need of the document. */

type Schema = Record<string, any>;
const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Schema;
const document = await read('openapi.json');
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.values(document.paths as Schema).flatMap((path) => METHODS.flatMap((one) => path[one] ?? []));

/** Members of this name, at any depth. */
const valuesOf = (node: unknown, name: string): unknown[] =>
  typeof node !== 'object' || node === null
    ? []
    : Object.entries(node).flatMap(([key, value]) => [...(key === name ? [value] : []), ...valuesOf(value, name)]);

describe('the OpenAPI document', () => {
  it('names every operation as a method of a client, once', () => {
    const ids = operations.map(({ operationId }) => operationId as string);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]{3,}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(['logIn', 'requestTransfer', 'requestCashIn', 'requestCashOut']));
  });

  it('is OpenAPI 3.1, and 3.0 for generators that lag: null is a type in one, a flag in the other', async () => {
    const older = await read('openapi-3.0.json');
    expect([document.openapi, older.openapi]).toEqual(['3.1.0', '3.0.3']);
    expect(Object.keys(older.paths)).toEqual(Object.keys(document.paths));
    const nullable = valuesOf(document, 'type').filter((type) => Array.isArray(type) && type.includes('null'));
    expect(nullable.length).toBeGreaterThan(100);
    expect(valuesOf(document, 'nullable')).toEqual([]);
    expect(valuesOf(older, 'nullable')).toHaveLength(nullable.length);
    expect(valuesOf(older, 'type').filter(Array.isArray)).toEqual([]);
  });
});

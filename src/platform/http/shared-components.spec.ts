import type { OpenAPIObject } from '@nestjs/swagger';
import { describe, expect, it } from '@jest/globals';
import { shareComponents } from './shared-components.js';

const success = { description: 'Success' };
const gone = { description: 'Gone' };
const expired = { description: 'Gone: expired' };
const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const name = { name: 'name', in: 'query', schema: { type: 'string' } };

function shared(...operations: { responses: object; parameters?: object[] }[]): OpenAPIObject {
  const paths = Object.fromEntries(operations.map((get, i) => [`/${i}`, { get }]));
  const document = structuredClone({ openapi: '3.0.0', info: {}, paths, components: {} }) as OpenAPIObject;
  shareComponents(document);
  return document;
}

const answers = ({ paths }: OpenAPIObject) => Object.values(paths).map(({ get }) => get!.responses);

describe('what several operations have', () => {
  it('stands once, if it is an error', () => {
    const document = shared({ responses: { 200: success, 410: gone } }, { responses: { 200: success, 410: gone } });
    expect(document.components!.responses).toEqual({ Gone: gone });
    const reference = { $ref: '#/components/responses/Gone' };
    expect(answers(document)).toEqual(Array(2).fill({ 200: success, 410: reference }));
  });

  it('has names of its own for each content of one status, in the order of the routes', () => {
    const contents = [gone, expired, expired, gone];
    const document = shared(...contents.map((content) => ({ responses: { 410: content } })));
    expect(document.components!.responses).toEqual({ Gone: gone, Gone2: expired });
    const references = ['Gone', 'Gone2', 'Gone2', 'Gone'].map((one) => ({ $ref: `#/components/responses/${one}` }));
    expect(answers(document)).toEqual(references.map((reference) => ({ 410: reference })));
  });

  it('stays with its operation where no other has it', () => {
    const document = shared({ responses: { 410: gone } }, { responses: { 410: expired } });
    expect(document.components!.responses).toEqual({});
    expect(answers(document)).toEqual([{ 410: gone }, { 410: expired }]);
  });

  it('stands once, if it is a parameter of lists', () => {
    const list = { responses: {}, parameters: [name, limit] };
    const document = shared(list, list);
    expect(document.components!.parameters).toEqual({ limit });
    expect(document.paths['/1']!.get!.parameters).toEqual([name, { $ref: '#/components/parameters/limit' }]);
  });
});

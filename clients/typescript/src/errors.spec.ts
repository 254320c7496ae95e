import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import * as errors from './errors.js';

const page = () => readFile(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
const body = (error: object) => ({ statusCode: 'Error', error });
const answered = (status: number, headers: Record<string, string> = {}) => new Response('', { status, headers });
const NOW = Date.parse('2026-11-20T12:00:00Z');

describe('the reasons that the client knows', () => {
  it('are those of docs/errors.md', async () => {
    const table = (await page()).split('## Reasons')[1]!.split('\n## ')[0]!;
    const documented = table
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, reason]) => reason));
    expect([...errors.REASONS].sort()).toEqual(documented.sort());
  });
});

describe('an error answer', () => {
  it.each([
    ['InvalidInputError', errors.InvalidInputError],
    ['AuthenticationError', errors.AuthenticationError],
    ['EntityNotFound', errors.EntityNotFoundError],
    ['ConflictError', errors.ConflictError],
    ['OperationError', errors.OperationError],
    ['TooManyRequests', errors.TooManyRequestsError],
    ['InternalError', errors.InternalError],
    ['ServiceUnavailable', errors.ServiceUnavailableError],
    ['OutcomeUnknown', errors.OutcomeUnknownError],
    ['RouteNotFound', errors.ApiError],
  ])('of the name %s is a class of its own', async (name, kind) => {
    const error = errors.errorOf(answered(400), body({ name, message: 'why' }), NOW);
    expect(error.constructor).toBe(kind);
    expect(error).toMatchObject({ name, message: 'why' });
  });

  it('of each name in docs/errors.md is known', async () => {
    const table = (await page()).split('## Names')[1]!.split('\n## ')[0]!;
    const names = new Set([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!));
    const plain = [
      ...['RouteNotFound', 'MethodNotAllowed', 'RequestTimeout', 'Gone', 'PayloadTooLarge', 'UnsupportedMediaType'],
      ...['ExpectationFailed', 'HeadersTooLarge'],
    ];
    for (const name of names) {
      const { constructor } = errors.errorOf(answered(400), body({ name }), NOW);
      expect([name, constructor === errors.ApiError]).toEqual([name, plain.includes(name)]);
    }
    expect(names.size).toBeGreaterThan(12);
  });

  it('tells the reason of a rule, and every fault of a malformed request', () => {
    const refused = body({ name: 'OperationError', code: 'OperationError', details: { reason: 'X', message: 'why' } });
    expect(errors.errorOf(answered(422), refused, NOW)).toMatchObject({ reason: 'X', message: 'why', status: 422 });
    const faults = [{ path: 'a.b', code: 'Required', message: 'm', info: {} }];
    const malformed = body({ name: 'InvalidInputError', message: 'why', details: faults });
    expect(errors.errorOf(answered(400), malformed, NOW)).toMatchObject({ faults, reason: undefined });
  });

  it('about an atomic batch has the result of each item; others have none', () => {
    const batch = { items: [{ idempotencyKey: 'a', status: 422 }], counts: { done: 0, error: 1 } };
    const told = (reason: string) => ({ ...body({ name: 'OperationError', details: { reason } }), data: batch });
    expect(errors.errorOf(answered(422), told('NotApplied'), NOW)).toMatchObject({ batch });
    expect(errors.errorOf(answered(422), told('HoldIsClosed'), NOW)).toMatchObject({ batch: undefined });
    const { data: _data, ...alone } = told('NotApplied');
    expect(errors.errorOf(answered(422), alone, NOW)).toMatchObject({ batch: undefined });
  });

  it('that is bare is Forbidden; one that is not of the service is unexpected', () => {
    expect(errors.errorOf(answered(403), { message: 'Forbidden' }, NOW)).toBeInstanceOf(errors.ForbiddenError);
    expect(errors.errorOf(answered(502), undefined, NOW)).toMatchObject({ name: 'UnexpectedAnswer', status: 502 });
  });

  it.each([
    ['3', 3],
    ['Fri, 20 Nov 2026 12:00:05 GMT', 5],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
  ])('with Retry-After: %s asks for %s seconds', (header, seconds) => {
    const error = errors.errorOf(answered(503, { 'retry-after': header }), undefined, NOW);
    expect(error.retryAfterSeconds).toBe(seconds);
  });
});

import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { ValidationError } from '../errors/index.js';
import {
  IsChoice,
  IsCount,
  IsFilter,
  IsFrom,
  IsGivenOnce,
  IsIdFilter,
  IsTo,
  Means,
  PageQuery,
  Parameter,
} from './parameters.js';
import { readQuery } from './validation.js';

const IsPosition = () => Means('isPosition', (text) => (/^\d+$/.test(text) ? BigInt(text) : undefined), 'wrong');

class EventsQuery extends PageQuery {
  @Parameter({ required: true }, IsPosition()) position: bigint;
  @IsGivenOnce() @IsChoice('Once', ['a', 'b']) one?: string;
  @IsChoice('Any', ['a', 'b']) any?: string;
  @IsFilter('A text') text?: string;
  @IsIdFilter('An identifier') id?: string;
  @IsGivenOnce() @IsFrom() from?: Date;
  @IsTo() to?: Date;
  @IsCount({ minimum: 2, maximum: 500, default: 200 }) points = 200;
}

const answerTo = (query: object): unknown => {
  try {
    return { ...readQuery(EventsQuery, query) };
  } catch (error) {
    return (error as ValidationError).details;
  }
};
const NOT_ONCE = { code: 'InvalidFormat', message: 'must be given once, as text', info: {} };
const NOT_ALLOWED = { code: 'NotAllowed', message: 'must be one of a, b', info: { allowedValues: ['a', 'b'] } };
const NO_MOMENT = { code: 'InvalidFormat', message: 'must be an ISO 8601 date or date-time', info: {} };
const whole = (minimum: number, maximum: number) => ({
  code: 'InvalidFormat',
  message: `must be a whole number from ${minimum} to ${maximum}`,
  info: { minimum, maximum },
});
const WRONG = { code: 'InvalidFormat', message: 'wrong', info: {} };

describe('a query', () => {
  it('means what its class says; what is not declared is dropped', () => {
    const query = { position: '07', from: '2026-11-20', limit: '3', text: '', other: '1', constructor: 'Object' };
    expect(answerTo(query)).toEqual({ position: 7n, from: new Date('2026-11-20'), limit: 3, points: 200, text: '' });
  });

  it('takes an identifier in upper case for the same, as a path does; another text stays as it is', () => {
    const query = (id: string) => answerTo({ position: '7', id });
    expect(query('01A2270E-9B49-7001-B8D9-3D7CB3FD3700')).toMatchObject({ id: '01a2270e-9b49-7001-b8d9-3d7cb3fd3700' });
    expect(query('X-1')).toMatchObject({ id: 'X-1' });
  });

  it.each([
    [{ position: undefined }, 'position', WRONG],
    [{ position: '' }, 'position', WRONG],
    [{ position: ['1', '2'] }, 'position', WRONG],
    [{ one: ['a', 'b'] }, 'one', NOT_ONCE],
    [{ one: 'c' }, 'one', NOT_ALLOWED],
    [{ any: ['a', 'b'] }, 'any', NOT_ALLOWED],
    [{ text: ['a', 'a'] }, 'text', NOT_ONCE],
    [{ text: 'a\0' }, 'text', NOT_ONCE],
    [{ id: ['a', 'a'] }, 'id', NOT_ONCE],
    [{ from: ['2026-11-20', '2026-11-20'] }, 'from', NOT_ONCE],
    [{ from: '2026-02-30' }, 'from', NO_MOMENT],
    [{ from: '0001-01-01T00:00:00+14:00' }, 'from', NO_MOMENT],
    [{ to: '9999-12-31T23:59:59-12:00' }, 'to', NO_MOMENT],
    [{ to: ['2026-11-20', '2026-11-20'] }, 'to', NO_MOMENT],
    [{ to: '' }, 'to', NO_MOMENT],
    [{ points: '1' }, 'points', whole(2, 500)],
    [{ points: '2.0' }, 'points', whole(2, 500)],
    [{ limit: '' }, 'limit', whole(1, 100)],
    [{ limit: '101' }, 'limit', whole(1, 100)],
    [{ limit: ['1', '2'] }, 'limit', whole(1, 100)],
  ])('with %j is refused by the rule of that parameter', (wrong, path, fault) => {
    expect(answerTo({ position: '1', ...wrong })).toEqual([{ path, ...fault }]);
  });

  it('of several faults tells all', () => {
    const faults = answerTo({ position: 'x', to: 'x', limit: 'x' }) as { path: string }[];
    expect(faults.map(({ path }) => path).sort()).toEqual(['limit', 'position', 'to']);
  });

  it.each([
    ['2026-11-20T10:00:00.5', '2026-11-20T10:00:00.500Z'],
    ['2026-11-20T10:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00 01:00', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20T10:00:00-03:00', '2026-11-20T13:00:00.000Z'],
  ])('reads %s as the moment %s', (from, moment) => {
    expect(answerTo({ position: '1', from })).toMatchObject({ from: new Date(moment) });
  });
});

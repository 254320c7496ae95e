import { describe, expect, it } from '@jest/globals';
import { AppError, ConflictError, InvalidInputError, OutcomeUnknown } from '../errors/index.js';
import { FrameReader, toFrame } from './wire.js';

class OfSomeModule extends InvalidInputError {
  constructor() {
    super('TooMuch', 'It is too much.', { most: 5 });
  }
}

const sent = (value: unknown) => new FrameReader().read(toFrame(value))[0];

describe('a message between workers', () => {
  it.each([
    [
      'what commands are made of',
      { amount: 10n ** 20n, at: new Date(5), list: [1, 'ã', null, true], in: { deep: [-1n] } },
    ],
    ['bytes', { bytes: Buffer.from([0, 255]) }],
    ['numbers that JSON has not', { values: [Number.NaN, -Infinity] }],
    ['members that look like marks', { $n: 'no number', other: { $d: 1, $e: ['x'] } }],
  ])('carries %s', (_, value) => expect(sent(value)).toEqual(value));

  it('carries a date that is none as none', () => expect(Number(sent(new Date(Number.NaN)))).toBeNaN());

  it('leaves out what is undefined', () => expect(Object.keys(sent({ a: undefined, b: 1 }) as object)).toEqual(['b']));

  it.each([new OfSomeModule(), new ConflictError('IdempotencyKeyReuse', 'Another request.'), new OutcomeUnknown()])(
    'carries the error %s with its answer, alone and in a list',
    (error) => {
      for (const back of [sent(error), (sent([1, error]) as unknown[])[1]] as AppError[]) {
        expect(back).toBeInstanceOf(AppError);
        expect(back.body()).toEqual(error.body());
        expect(back).toMatchObject({ status: error.status, message: error.message, logLevel: error.logLevel });
        expect(back.retryAfterSeconds).toBe(error.retryAfterSeconds);
      }
      expect(sent(new OfSomeModule())).toBeInstanceOf(InvalidInputError);
    },
  );

  it('carries what a fault says, and not what it holds', () => {
    const back = sent(Object.assign(new TypeError('broken'), { secret: 'of somebody' })) as Error;
    expect([back.name, back.message, back.stack]).toEqual([
      'TypeError',
      'broken',
      expect.stringContaining('wire.spec'),
    ]);
    expect(JSON.stringify(back)).not.toContain('somebody');
  });

  it.each([() => 1, new Map(), { deep: [new Set()] }])('refuses what is no data: %p', (value) =>
    expect(() => toFrame(value)).toThrow(TypeError),
  );

  it('is put together from any pieces', () => {
    const values = [{ a: 'x'.repeat(500) }, [2n], 'ã'];
    const bytes = Buffer.concat(values.map(toFrame));
    for (const size of [1, 3, 7, 100, bytes.length]) {
      const reader = new FrameReader();
      const found: unknown[] = [];
      for (let i = 0; i < bytes.length; i += size) found.push(...reader.read(bytes.subarray(i, i + size)));
      expect(found).toEqual(values);
    }
  });
});

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { assertLedgerSound } from '../support/audit.js';
import { type InProcessOwning, liveRows, replayedRows, startWithDatabase } from '../support/in-process.js';
import { MedPlay, type MedStep } from '../support/med-play.js';

let service: InProcessOwning;

/** The only clock that is not real: the date, which moves when it is told to. */
const REAL = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
];

beforeAll(async () => {
  jest.useFakeTimers({ doNotFake: REAL });
  // No worker: cases move on when the test says so.
  service = await startWithDatabase({ ROLE: 'api' });
});

afterAll(async () => {
  await service.close();
  jest.useRealTimers();
});

const begin = () => MedPlay.begin(service, (at) => jest.setSystemTime(at));

const amount = fc.bigInt(1n, 300n);
/** Above the least amount of a transfer. */
const money = fc.bigInt(100n, 600n);
const nth = fc.nat(20);
const of = <K extends MedStep['kind']>(kind: K) => fc.constant(kind);
const step: fc.Arbitrary<MedStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: of('deposit'), amount: money }) },
  { weight: 3, arbitrary: fc.record({ kind: of('credit'), amount: money }) },
  { weight: 3, arbitrary: fc.record({ kind: of('spend'), amount: money }) },
  { weight: 2, arbitrary: fc.record({ kind: of('days'), days: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ kind: of('refund'), nth, amount }) },
  { weight: 4, arbitrary: fc.record({ kind: of('report'), nth, amount, copies: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: of('decide'),
      nth,
      agrees: fc.boolean(),
      amount: fc.option(amount, { nil: undefined, freq: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: of('cancel'), nth }) },
  { weight: 6, arbitrary: fc.record({ kind: of('advance'), nth }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: of('send'),
      nth,
      how: fc.constantFrom('settle' as const, 'refuse' as const, 'diesBefore' as const, 'diesAfter' as const),
    }),
  },
);

describe('reports of infractions, credits, payments and processes that die, in any order', () => {
  it('are what a simple model says after each: nothing goes back twice, nor more than was held', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 50 }), async (steps) => {
        const play = await begin();
        for (const one of steps) {
          await play.step(one);
          await play.assertAsModelled();
        }
        await play.settle();
        await play.assertAsModelled();
        await assertLedgerSound(service.owner);
        expect(await liveRows(service)).toEqual(await replayedRows(service));
      }),
      { numRuns: 60 },
    );
  }, 240_000);

  it('in a year of days end, each as the model says, and nothing stays blocked', async () => {
    const play = await begin();
    const ofDays = fc.sample(fc.array(step, { minLength: 1, maxLength: 3 }), { numRuns: 365, seed: 29 });
    for (const steps of ofDays) {
      for (const one of steps) if (one.kind !== 'days') await play.step(one);
      await play.settle();
      await play.step({ kind: 'days', days: 1 });
    }
    await play.assertAsModelled();
    const { cases } = play.model;
    expect(cases.length).toBeGreaterThan(50);
    expect(cases.map(({ status }) => status)).toEqual(expect.arrayContaining(['Closed', 'Rejected', 'Cancelled']));
    expect(cases.some(({ returned, amount: asked }) => returned > 0n && returned < asked)).toBe(true);
    await play.step({ kind: 'days', days: 91 });
    await play.settle();
    await play.assertAsModelled();
    expect(cases.filter(({ status }) => status === 'Open' || status === 'Agreed')).toEqual([]);
    expect(cases.reduce((sum, { hold }) => sum + hold.blocked, 0n)).toBe(0n);
    await assertLedgerSound(service.owner);
    expect(await liveRows(service)).toEqual(await replayedRows(service));
  }, 240_000);
});

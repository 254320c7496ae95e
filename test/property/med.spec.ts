import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { assertLedgerSound } from '../support/audit.js';
import { liveRows, replayedRows } from '../support/in-process.js';
import { MoneyPlay, type MoneyStep } from '../support/money-play.js';
import { type PlayedApplication, startImmortal } from '../support/mortal-application.js';
import { stopDate } from '../support/moving-date.js';

let service: PlayedApplication;
let setTime: (at: number) => void;

beforeAll(async () => {
  setTime = stopDate();
  // No worker: cases move on when the test says so.
  service = await startImmortal({ ROLE: 'api' });
});

afterAll(async () => {
  await service.close();
  jest.useRealTimers();
});

const DAY = 24 * 60;
const at = fc.constant(0);
const amount = fc.bigInt(1n, 300n);
/** Above the least amount of a transfer. */
const money = fc.bigInt(100n, 600n);
const nth = fc.nat(20);
const of = <K extends MoneyStep['kind']>(kind: K) => fc.constant(kind);
const part = fc.option(amount, { nil: undefined, freq: 2 });
const how = fc.constantFrom('settle', 'refuse', 'only send');
const step: fc.Arbitrary<MoneyStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: of('deposit'), at, amount: money }) },
  { weight: 3, arbitrary: fc.record({ kind: of('credit'), at, amount: money }) },
  { weight: 3, arbitrary: fc.record({ kind: of('transfer'), at, amount: money }) },
  { weight: 2, arbitrary: fc.record({ kind: of('refund'), nth, amount }) },
  { weight: 4, arbitrary: fc.record({ kind: of('report'), nth, amount, copies: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: of('decide'), nth, agrees: fc.boolean(), amount: part }) },
  { weight: 1, arbitrary: fc.record({ kind: of('cancel'), nth }) },
  { weight: 6, arbitrary: fc.record({ kind: of('advance'), nth }) },
  { weight: 6, arbitrary: fc.record({ kind: of('send'), nth, how }) },
);

const agree = (one: number): MoneyStep => ({ kind: 'decide', nth: one, agrees: true, amount: undefined });
const ofDeposit = (one: number): MoneyStep => ({ kind: 'report', nth: one, amount: 300n, copies: 1 });
/** Refunds that are pending when a report comes, or is decided: seldom met by chance. */
const TOUR: readonly MoneyStep[] = [
  { kind: 'deposit', at: 0, amount: 300n },
  { kind: 'refund', nth: 0, amount: 300n },
  ofDeposit(0),
  { kind: 'advance', nth: 0 },
  { kind: 'send', nth: 0, how: 'refuse' },
  agree(0),
  { kind: 'advance', nth: 0 },
  { kind: 'send', nth: 0, how: 'settle' },
  { kind: 'advance', nth: 0 },
  // A part is on its way as a refund, the rest goes back as a return.
  { kind: 'deposit', at: 0, amount: 300n },
  ofDeposit(1),
  { kind: 'credit', at: 0, amount: 300n },
  { kind: 'refund', nth: 1, amount: 200n },
  agree(1),
  { kind: 'advance', nth: 1 },
  { kind: 'send', nth: 1, how: 'settle' },
  { kind: 'advance', nth: 1 },
  { kind: 'send', nth: 0, how: 'refuse' },
  { kind: 'advance', nth: 1 },
  { kind: 'send', nth: 0, how: 'settle' },
  { kind: 'advance', nth: 1 },
  // Nobody has decided.
  { kind: 'deposit', at: 0, amount: 300n },
  { kind: 'refund', nth: 2, amount: 200n },
  ofDeposit(2),
  { kind: 'send', nth: 0, how: 'settle' },
  { kind: 'advance', nth: 2 },
  { kind: 'refund', nth: 2, amount: 100n },
  { kind: 'send', nth: 0, how: 'settle' },
  { kind: 'advance', nth: 2 },
];

describe('reports of infractions', () => {
  it('of deposits with refunds that are pending are, after each step, as the model says', async () => {
    const play = await MoneyPlay.begin(service, setTime);
    for (const one of TOUR) {
      await play.step(one);
      await play.checks.assertAsModelled();
    }
    const { cases } = play.model;
    expect(cases.map(({ status, returned }) => [status, returned])).toEqual([
      ['Closed', 300n],
      ['Closed', 300n],
      ['Closed', 0n],
    ]);
    await play.checks.assertSettled();
  });

  it('in a year of days end, each as the model says, and nothing stays blocked', async () => {
    const play = await MoneyPlay.begin(service, setTime);
    const ofDays = fc.sample(fc.array(step, { minLength: 1, maxLength: 3 }), { numRuns: 365, seed: 29 });
    for (const steps of ofDays) {
      for (const one of steps) await play.step(one);
      await play.settle();
      await play.step({ kind: 'pass', minutes: DAY });
    }
    await play.checks.assertAsModelled();
    const { cases } = play.model;
    expect(cases.length).toBeGreaterThan(50);
    expect(cases.map(({ status }) => status)).toEqual(expect.arrayContaining(['Closed', 'Rejected', 'Cancelled']));
    expect(cases.some(({ returned, amount: asked }) => returned > 0n && returned < asked)).toBe(true);
    await play.step({ kind: 'pass', minutes: 91 * DAY });
    await play.settle();
    await play.checks.assertAsModelled();
    expect(cases.filter(({ status }) => status === 'Open' || status === 'Agreed')).toEqual([]);
    expect(cases.reduce((sum, { hold }) => sum + hold.blocked, 0n)).toBe(0n);
    await assertLedgerSound(service.owner);
    expect(await liveRows(service.running)).toEqual(await replayedRows(service.running));
  }, 240_000);
});

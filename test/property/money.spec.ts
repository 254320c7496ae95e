import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import fc from 'fast-check';
import {
  CreditAccount,
  type LimitName,
  OpenAccount,
  PlaceHold,
  RegisterPartner,
  Registry,
} from '../../src/accounts/index.js';
import { nextCnpj } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { liveRows, replayedRows } from '../support/in-process.js';
import { ACTOR, FAR, MoneyPlay, type MoneyStep, PEOPLE } from '../support/money-play.js';
import { type Death, MortalApplication } from '../support/mortal-application.js';
import { stopDate } from '../support/moving-date.js';

const RUNS = Number(process.env.MONEY_RUNS ?? 9);

let mortal: MortalApplication;
let setTime: (at: number) => void;

beforeAll(async () => {
  setTime = stopDate();
  // Noon in São Paulo: no period of a limit ends by itself.
  setTime(new Date().setUTCHours(39, 0, 0, 0));
  // No worker: what is under way moves on when the test says so.
  mortal = await MortalApplication.start({ ROLE: 'api', LIMIT_RAISE_DELAY_SECONDS: '0' });
});

afterAll(async () => {
  await mortal.close();
  jest.useRealTimers();
});

const LIMITS = [
  ...(['payment', 'day', 'night', 'month', 'hour', 'payeeDay', 'payeeNight'] as const),
  ...(['ownPayment', 'ownDay', 'ownMonth', 'othersPayment', 'othersNight', 'othersMonth'] as const),
] satisfies LimitName[];

const amount = fc.bigInt(1n, 300n);
/** Above the least amount of a transfer. */
const money = fc.bigInt(100n, 600n);
const part = fc.option(amount, { nil: undefined, freq: 2 });
const nth = fc.nat(20);
const at = fc.nat(1);
const of = <K extends MoneyStep['kind']>(kind: K) => fc.constant(kind);
const HOW = ['settle', 'settle', 'refuse', 'reverse', 'only send'] as const;
const limit = { kind: of('limit'), at };
const step: fc.Arbitrary<MoneyStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: of('deposit'), at, amount: money }) },
  { weight: 5, arbitrary: fc.record({ kind: of('credit'), at, amount: fc.bigInt(100n, 1_500n) }) },
  { weight: 2, arbitrary: fc.record({ kind: of('transfer'), at, amount: money }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: of('payout'),
      at,
      amount,
      to: fc.option(fc.constantFrom(...PEOPLE), { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ ...limit, name: fc.constantFrom(...LIMITS), value: fc.option(fc.bigInt(0n, 900n)) }),
  },
  { weight: 1, arbitrary: fc.record({ ...limit, name: fc.constant('hour' as const), value: fc.bigInt(1n, 3n) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: of('pass'), minutes: fc.oneof(fc.nat(90), fc.nat(900), fc.nat(40 * 24 * 60)) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: of('place'), at, amount, waits: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: of('release'), nth, amount: part }) },
  { weight: 3, arbitrary: fc.record({ kind: of('execute'), nth, amount }) },
  { weight: 2, arbitrary: fc.record({ kind: of('refund'), nth, amount }) },
  { weight: 3, arbitrary: fc.record({ kind: of('recover'), nth }) },
  { weight: 3, arbitrary: fc.record({ kind: of('recovered'), nth, accepts: part }) },
  { weight: 5, arbitrary: fc.record({ kind: of('report'), nth, amount, copies: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: of('decide'), nth, agrees: fc.boolean(), amount: part }) },
  { weight: 1, arbitrary: fc.record({ kind: of('cancel'), nth }) },
  { weight: 8, arbitrary: fc.record({ kind: of('advance'), nth }) },
  { weight: 10, arbitrary: fc.record({ kind: of('send'), nth, how: fc.constantFrom(...HOW) }) },
  { weight: 3, arbitrary: fc.record({ kind: of('again'), nth, other: fc.boolean() }) },
);

const death: fc.Arbitrary<Death> = fc.oneof(fc.constantFrom('before commit', 'after commit'), fc.nat(8));
/** Between two steps, or in the middle of one. */
const dies = fc.oneof(
  { weight: 48, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.record({ during: fc.constant(false), death }) },
  { weight: 1, arbitrary: fc.record({ during: fc.constant(true), death }) },
);

type Moment = readonly [MoneyStep, { readonly during: boolean; readonly death: Death } | undefined];
const lives = (one: MoneyStep): Moment => [one, undefined];
const diesBefore = (one: MoneyStep): Moment => [one, { during: true, death: 'before commit' }];
const diesAfter = (one: MoneyStep): Moment => [one, { during: true, death: 'after commit' }];
const diesThen = (one: MoneyStep): Moment => [one, { during: false, death: 0 }];

/** Every path there is: what no test ever went proves nothing. */
const TOUR: readonly Moment[] = [
  // A return in two parts, of less than is asked for.
  lives({ kind: 'deposit', at: 1, amount: 300n }),
  lives({ kind: 'transfer', at: 1, amount: 200n }),
  diesAfter({ kind: 'report', nth: 0, amount: 300n, copies: 2 }),
  diesAfter({ kind: 'decide', nth: 0, agrees: true, amount: 200n }),
  diesBefore({ kind: 'advance', nth: 0 }),
  diesAfter({ kind: 'send', nth: 0, how: 'settle' }),
  lives({ kind: 'credit', at: 1, amount: 500n }),
  diesAfter({ kind: 'advance', nth: 0 }),
  diesThen({ kind: 'send', nth: 0, how: 'only send' }),
  diesAfter({ kind: 'send', nth: 0, how: 'settle' }),
  lives({ kind: 'advance', nth: 0 }),
  // Payouts, their limits and their ends.
  diesAfter({ kind: 'deposit', at: 0, amount: 600n }),
  diesAfter({ kind: 'credit', at: 0, amount: 2_500n }),
  diesBefore({ kind: 'limit', at: 0, name: 'day', value: 1_500n }),
  diesAfter({ kind: 'payout', at: 0, amount: 300n, to: undefined }),
  diesAfter({ kind: 'send', nth: 0, how: 'settle' }),
  // Together with the one before, and by itself.
  ...(['day', 'month', 'ownDay', 'ownMonth'] as const).flatMap((name) => [
    lives({ kind: 'limit', at: 0, name, value: 400n }),
    lives({ kind: 'payout', at: 0, amount: 200n, to: undefined }),
    lives({ kind: 'limit', at: 0, name, value: null }),
  ]),
  lives({ kind: 'limit', at: 0, name: 'payeeDay', value: 400n }),
  lives({ kind: 'payout', at: 0, amount: 300n, to: PEOPLE[2] }),
  lives({ kind: 'payout', at: 0, amount: 200n, to: PEOPLE[2] }),
  lives({ kind: 'send', nth: 0, how: 'settle' }),
  lives({ kind: 'limit', at: 0, name: 'payment', value: 299n }),
  lives({ kind: 'payout', at: 0, amount: 300n, to: PEOPLE[0] }),
  lives({ kind: 'limit', at: 0, name: 'payment', value: null }),
  ...(['refuse', 'reverse'] as const).flatMap((how) => [
    lives({ kind: 'payout', at: 0, amount: 300n, to: PEOPLE[0] }),
    diesThen({ kind: 'send', nth: 0, how: 'only send' }),
    lives({ kind: 'send', nth: 0, how }),
  ]),
  diesAfter({ kind: 'recover', nth: 0 }),
  diesAfter({ kind: 'recovered', nth: 0, accepts: 100n }),
  // Holds.
  diesBefore({ kind: 'transfer', at: 0, amount: 400n }),
  diesAfter({ kind: 'place', at: 1, amount: 2_000n, waits: true }),
  diesThen({ kind: 'credit', at: 1, amount: 100n }),
  diesAfter({ kind: 'execute', nth: 0, amount: 300n }),
  lives({ kind: 'credit', at: 1, amount: 100n }),
  diesBefore({ kind: 'release', nth: 0, amount: undefined }),
  // Refunds, and reports that end without a return.
  diesAfter({ kind: 'refund', nth: 1, amount: 100n }),
  lives({ kind: 'send', nth: 0, how: 'refuse' }),
  diesAfter({ kind: 'report', nth: 1, amount: 100n, copies: 1 }),
  lives({ kind: 'cancel', nth: 1 }),
  lives({ kind: 'report', nth: 1, amount: 100n, copies: 1 }),
  lives({ kind: 'decide', nth: 2, agrees: false, amount: undefined }),
  lives({ kind: 'again', nth: 0, other: false }),
  lives({ kind: 'again', nth: 0, other: true }),
];
const MET = [
  ...['credit', 'transfer', 'deposit', 'payout', 'payout refused', 'limit reached', 'place', 'execute', 'release'],
  ...['payout Completed', 'payout Error', 'payout Reversed', 'recover', 'money recovered', 'refund', 'refund Error'],
  ...['report', 'decide', 'cancel', 'return of a case', 'refund Completed', 'again'],
];

/** Plays those steps on new accounts, and holds what is there against the model after each. */
async function play(moments: readonly Moment[], met = new Set<string>()): Promise<void> {
  const playing = await MoneyPlay.begin(mortal, setTime, met);
  for (const [one, dying] of moments) {
    await playing.step(one, dying?.during ? dying.death : undefined);
    if (dying && !dying.during) await mortal.die();
    await playing.checks.assertAsModelled();
  }
  await playing.settle();
  await playing.checks.assertAsModelled();
  await playing.checks.assertSettled();
  await assertLedgerSound(mortal.owner);
  expect(await liveRows(mortal.running)).toEqual(await replayedRows(mortal.running));
}

describe('credits, payouts, holds, limits, reports, recoveries and processes that die are as a model says', () => {
  it('after each step, by every path there is', async () => {
    const met = new Set<string>();
    await play(TOUR, met);
    expect([...met]).toEqual(expect.arrayContaining(MET));
  }, 60_000);

  it('in any order: nothing goes back twice, no hold and no limit is passed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, dies), { minLength: 25, maxLength: 60, size: 'max' }), (steps) =>
        play(steps),
      ),
      // What was found is told, however far it has been made smaller by then.
      { numRuns: RUNS, interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
    );
  }, 120_000);

  it('at the same time fill no hold beyond its amount, and lose nothing', async () => {
    const { app, running, owner } = mortal;
    const commands = app.get(CommandBus);
    const taxNumber = nextCnpj();
    const { uid: partnerUid } = await commands.execute(new RegisterPartner('Teste', taxNumber, ACTOR));
    const { uid } = await commands.execute(new OpenAccount(partnerUid, { name: 'Teste', taxNumber }, ACTOR));
    const credit = () => commands.execute(new CreditAccount(uid, 100n, 'Teste', ACTOR));
    const place = (amount: bigint) =>
      commands.execute(new PlaceHold(uid, { amount, cause: 'Med', reference: 'R', retryUntil: FAR }, ACTOR));
    const all: Promise<unknown>[] = [];
    for (let i = 0; i < 20; i++) all.push(credit(), place(70n), credit(), place(130n), credit());
    await Promise.all(all);
    const holds = await owner.query('select from hold where account_uid = $1 and filled = amount', [uid]);
    expect(holds).toHaveLength(40);
    const live = await app.get(Registry, { strict: false }).account(uid);
    expect(live).toMatchObject({ available: 2_000n, blocked: 4_000n, filling: null });
    await assertLedgerSound(owner);
    expect(await liveRows(running)).toEqual(await replayedRows(running));
  });
});

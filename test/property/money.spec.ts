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

const RUNS = Number(process.env.MONEY_RUNS ?? 14);

let mortal: MortalApplication;
let setTime: (at: number) => void;

beforeAll(async () => {
  setTime = stopDate();
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
    weight: 2,
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

/** By every path there is: a property that never met one of them would prove nothing about it. */
const TOUR: readonly [MoneyStep, { readonly during: boolean; readonly death: Death }?][] = [
  [
    { kind: 'deposit', at: 0, amount: 600n },
    { during: true, death: 'after commit' },
  ],
  [
    { kind: 'credit', at: 0, amount: 1_500n },
    { during: true, death: 'after commit' },
  ],
  [
    { kind: 'limit', at: 0, name: 'day', value: 1_000n },
    { during: true, death: 'before commit' },
  ],
  [
    { kind: 'payout', at: 0, amount: 300n, to: undefined },
    { during: true, death: 'after commit' },
  ],
  [
    { kind: 'send', nth: 0, how: 'settle' },
    { during: true, death: 'after commit' },
  ],
  [
    { kind: 'recover', nth: 0 },
    { during: true, death: 'after commit' },
  ],
  [
    { kind: 'recovered', nth: 0, accepts: 100n },
    { during: true, death: 'after commit' },
  ],
  [{ kind: 'limit', at: 0, name: 'payment', value: 299n }],
  [{ kind: 'payout', at: 0, amount: 300n, to: PEOPLE[0] }],
  [{ kind: 'limit', at: 0, name: 'payment', value: null }],
  ...(['refuse', 'reverse', 'only send'] as const).flatMap((how): [MoneyStep][] => [
    [{ kind: 'payout', at: 0, amount: 300n, to: PEOPLE[0] }],
    [{ kind: 'send', nth: 0, how }],
  ]),
  [
    { kind: 'transfer', at: 0, amount: 400n },
    { during: true, death: 'before commit' },
  ],
  [
    { kind: 'place', at: 1, amount: 600n, waits: true },
    { during: true, death: 'after commit' },
  ],
  [
    { kind: 'credit', at: 1, amount: 100n },
    { during: false, death: 0 },
  ],
  [
    { kind: 'execute', nth: 0, amount: 300n },
    { during: true, death: 'after commit' },
  ],
  [
    { kind: 'release', nth: 0, amount: undefined },
    { during: true, death: 'before commit' },
  ],
  [
    { kind: 'report', nth: 0, amount: 300n, copies: 2 },
    { during: true, death: 'after commit' },
  ],
  [
    { kind: 'decide', nth: 0, agrees: true, amount: 200n },
    { during: true, death: 'after commit' },
  ],
  [
    { kind: 'advance', nth: 0 },
    { during: true, death: 'after commit' },
  ],
  [
    { kind: 'send', nth: 1, how: 'only send' },
    { during: false, death: 0 },
  ],
  [
    { kind: 'send', nth: 1, how: 'settle' },
    { during: true, death: 'after commit' },
  ],
  [
    { kind: 'refund', nth: 0, amount: 100n },
    { during: true, death: 'after commit' },
  ],
  [{ kind: 'send', nth: 1, how: 'refuse' }],
  ...(['cancel', 'decide'] as const).flatMap((kind, nth): [MoneyStep][] => [
    [{ kind: 'report', nth: 0, amount: 100n, copies: 1 }],
    [kind === 'cancel' ? { kind, nth: nth + 1 } : { kind, nth: nth + 1, agrees: false, amount: undefined }],
  ]),
  [{ kind: 'again', nth: 0, other: false }],
  [{ kind: 'again', nth: 0, other: true }],
];
const MET = [
  ...['credit', 'transfer', 'deposit', 'payout', 'payout refused', 'limit reached', 'place', 'execute', 'release'],
  ...['payout Completed', 'payout Error', 'payout Reversed', 'recover', 'money recovered', 'refund', 'refund Error'],
  ...['report', 'decide', 'cancel', 'return of a case', 'refund Completed', 'again'],
];

describe('credits, payouts, holds, limits, reports, recoveries and processes that die, in any order', () => {
  it('are what a simple model says after each: nothing goes back twice, no hold and no limit is passed', async () => {
    const met = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, dies), { minLength: 25, maxLength: 60, size: 'max' }), async (steps) => {
        const play = await MoneyPlay.begin(mortal, setTime, met);
        for (const [one, dying] of steps) {
          await play.step(one, dying?.during ? dying.death : undefined);
          if (dying && !dying.during) await mortal.die();
          await play.assertAsModelled();
        }
        await play.settle();
        await play.assertAsModelled();
        await play.assertSettled();
        await assertLedgerSound(mortal.owner);
        expect(await liveRows(mortal.running)).toEqual(await replayedRows(mortal.running));
      }),
      { numRuns: RUNS, examples: [[TOUR.map(([one, dying]) => [one, dying])]] },
    );
    expect([...met]).toEqual(expect.arrayContaining(MET));
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

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import type { Transaction } from '../../src/accounts/index.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { AppError } from '../../src/platform/errors/index.js';
import { assertLedgerSound } from '../support/audit.js';
import type { RailFault } from '../support/model-rail.js';
import { PixSimulation } from '../support/pix-simulation.js';
import { ALLOWED, changeOf } from '../support/pix-states.js';

/** Sequences that are drawn, beside the tour; `PIX_RUNS` asks for more. */
const RUNS = Number(process.env.PIX_RUNS ?? 30);

let simulation: PixSimulation;

beforeAll(async () => {
  // An unmatched payment is logged as an error, and these tests make many of them.
  Logger.overrideLogger(false);
  simulation = await PixSimulation.start();
});
afterAll(async () => {
  await simulation?.stop();
  Logger.overrideLogger(new Logger());
});

type Step =
  | { kind: 'cash-out'; amount: bigint; charges: bigint; key: 'none' | 'known' | 'unknown' }
  | { kind: 'cash-in'; amount: bigint; charges: bigint }
  | { kind: 'pay'; which: number; wrong: boolean }
  | { kind: 'cancel'; which: number; fault: RailFault }
  | { kind: 'refund'; which: number; amount: bigint | undefined; key: string | undefined }
  | { kind: 'rail ends'; which: number; status: 'Settled' | 'Rejected' | 'Returned' }
  | { kind: 'sent back'; which: number }
  | { kind: 'charge ends'; which: number; status: 'Rejected' | 'Returned' }
  | { kind: 'notification'; which: number; again: boolean }
  | { kind: 'follow' }
  | { kind: 'work'; which: number; fault: RailFault; processes: number }
  | { kind: 'sweep' };

const which = fc.nat(1_000);
// Few different amounts, so that parts add up to wholes and to a little more.
const amount = fc.oneof(fc.bigInt(1n, 3_000n), fc.constantFrom(1n, 301n, 601n, 1_000n));
const charges = fc.constantFrom(0n, 0n, 25n);
const fault = fc.constantFrom<RailFault>('none', 'none', 'none', 'request lost', 'answer lost', 'crash');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('cash-out' as const),
      amount,
      charges,
      key: fc.constantFrom('none' as const, 'known' as const, 'unknown' as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('cash-in' as const), amount, charges }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      which,
      wrong: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which, fault }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      which,
      amount: fc.option(amount, { nil: undefined }),
      key: fc.constantFrom(undefined, undefined, undefined, 'a', 'b'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('rail ends' as const),
      which,
      status: fc.constantFrom('Settled' as const, 'Rejected' as const, 'Returned' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sent back' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('charge ends' as const),
      which,
      status: fc.constantFrom('Rejected' as const, 'Returned' as const),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('notification' as const), which, again: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('follow' as const) }) },
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('work' as const), which, fault, processes: fc.constantFrom(1, 1, 1, 2) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
);

/** Steps that the ledger does not notice by themselves. */
const OUTSIDE: ReadonlySet<Step['kind']> = new Set(['pay', 'rail ends', 'sent back', 'charge ends', 'follow']);

const pick = <T>(all: readonly T[], index: number): T | undefined => all[index % all.length];
/** One of those that a step is meant for, where there is any; now and then any of all. */
const mostly = <T>(all: readonly T[], isMeant: (one: T) => boolean, index: number): T | undefined => {
  const meant = index % 4 === 0 ? [] : all.filter(isMeant);
  return pick(meant.length > 0 ? meant : all, index);
};
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);

async function play(one: Step): Promise<void> {
  const { rail, transactions } = simulation;
  const sent = [...rail.sent.keys()];
  const charged = [...rail.charges];
  const cashIns = transactions.filter(({ type }) => type === 'CashIn');
  switch (one.kind) {
    case 'cash-out':
      return simulation.cashOut(one.amount, one.charges, one.key);
    case 'cash-in':
      return simulation.cashIn(one.amount, one.charges);
    case 'pay': {
      const [txid, charge] = mostly(charged, ([, { payment }]) => !payment, one.which) ?? [];
      return txid === undefined ? undefined : rail.pay(txid, charge!.amount + (one.wrong ? 1n : 0n));
    }
    case 'cancel': {
      const cashIn = pick(cashIns, one.which);
      rail.fault = one.fault === 'crash' ? 'answer lost' : one.fault;
      return cashIn && simulation.cancel(cashIn.id);
    }
    case 'refund': {
      const cashIn = mostly(cashIns, ({ state }) => state === 'Completed', one.which);
      return cashIn && simulation.refund(cashIn.id, one.amount, one.key);
    }
    case 'rail ends': {
      const id = mostly(sent, (name) => rail.sent.get(name)!.outcome.status === 'Pending', one.which);
      return id === undefined ? undefined : rail.end(id, one.status);
    }
    case 'sent back': {
      const id = mostly(sent, (name) => rail.sent.get(name)!.outcome.status === 'Settled', one.which);
      return id === undefined ? undefined : rail.sendBack(id);
    }
    case 'charge ends': {
      const [txid, charge] = mostly(charged, ([, { payment }]) => !payment, one.which) ?? [];
      if (txid === undefined || charge!.payment) return;
      charge!.open = false;
      rail.notifications.push((inbox) => inbox.chargeChanged(txid, { status: one.status, code: 'AB03' }));
      return;
    }
    case 'notification': {
      const index = rail.notifications.length === 0 ? -1 : one.which % rail.notifications.length;
      if (index < 0) return;
      const notify = one.again ? rail.notifications[index]! : rail.notifications.splice(index, 1)[0]!;
      await notify(simulation.inbox);
      return;
    }
    case 'follow':
      return simulation.follow();
    case 'work': {
      const item = mostly(await simulation.waiting(), ({ kind }) => kind !== 'pix-expire-cash-in', one.which);
      return item && simulation.perform(item, one.fault, one.processes);
    }
    case 'sweep':
      return simulation.sweep();
  }
}

/** What holds at any moment. @param seen every change of state so far */
async function assertSound(states: Map<string, Transaction['state']>, seen: Set<string>): Promise<void> {
  await simulation.look();
  const { accounts, account, transactions } = simulation;
  expect(sum(accounts.map(({ available, held }) => available + held))).toBe(0n);
  expect(account.available >= 0n && account.held >= 0n).toBe(true);
  const waiting = transactions.filter(({ state }) => state === 'Registered');
  const heldFor = waiting.filter(({ type, details }) => type === 'CashOut' || details?.direction === 'Out');
  expect(account.held).toBe(sum(heldFor.map((one) => one.amount + one.charges)));
  for (const one of transactions) {
    const change = changeOf(one, states.get(one.id));
    if (change === undefined) continue;
    expect([...ALLOWED]).toContain(change);
    seen.add(change);
    states.set(one.id, one.state);
  }
}

/** What holds at the end: the rail's books and the ledger agree. */
async function assertSettled(initial: bigint): Promise<void> {
  const { account, rail, transactions } = simulation;
  expect(await simulation.waiting()).toEqual([]);
  expect(transactions.filter(({ state }) => state === 'Registered')).toEqual([]);
  // Nor did any pass through another state between two looks.
  for (const { state, stateDates } of transactions)
    expect(Object.keys(stateDates).sort()).toEqual(['Registered', state].sort());
  expect(account.held).toBe(0n);

  const cashOuts = transactions.filter(({ type }) => type === 'CashOut');
  const expected = { Settled: 'Completed', Rejected: 'Error', Returned: 'Reversed', Pending: '', Unknown: 'Error' };
  for (const { endToEndId, state } of cashOuts) {
    const outcome = rail.sent.get(endToEndId!)?.outcome.status ?? 'Unknown';
    expect(state).toBe(expected[outcome]);
  }
  expect(rail.sent.size).toBeLessThanOrEqual(cashOuts.length);

  const credited = (await simulation.events())
    .filter(({ type }) => type === 'CashInCompleted')
    .map(({ data }) => (data as any).payment);
  const givenBack = [...rail.refunds.values()].filter(({ instruction }) => instruction.code === 'BE08');
  for (const { endToEndId, amount } of rail.payments) {
    const times = credited.filter((one) => one.endToEndId === endToEndId).length;
    const back = givenBack.filter(({ instruction }) => instruction.endToEndId === endToEndId);
    expect(times + back.length).toBe(1);
    for (const { instruction } of back) expect(instruction.amount).toBe(amount);
  }
  for (const [txid, { amount, payment }] of rail.charges) {
    const all = rail.payments.filter((one) => one.txid === txid);
    const inTime = payment !== undefined && all.every((one) => one.amount === amount);
    // The ledger refused some deposits after the rail had made their charges.
    const cashIn = transactions.find(({ id }) => txidOf(id) === txid);
    if (cashIn && inTime) expect(cashIn.state).toBe('Completed');
  }
  for (const cashIn of transactions.filter(({ type }) => type === 'CashIn')) {
    const parts = [...rail.refunds.values()].filter(
      ({ instruction, outcome }) =>
        instruction.code === 'MD06' && outcome.status === 'Settled' && instruction.endToEndId === cashIn.endToEndId,
    );
    expect(sum(parts.map(({ instruction }) => instruction.amount)) <= cashIn.amount).toBe(true);
  }

  const out = sum(
    [...rail.sent.values()].filter(({ outcome }) => outcome.status === 'Settled').map((one) => one.amount),
  );
  const refunded = [...rail.refunds.values()].filter(
    ({ instruction, outcome }) => instruction.code === 'MD06' && outcome.status === 'Settled',
  );
  const back = sum(refunded.map(({ instruction }) => instruction.amount));
  const incoming = sum(credited.map(({ amount: text }) => BigInt(text as string)));
  const returned = sum(rail.returns.map((one) => one.amount));
  expect(simulation.system('pix-settlement')).toBe(out + back - incoming - returned);
  expect(account.available + simulation.system('fees')).toBe(initial + incoming + returned - out - back);
}

/** Through every change of state there is: a property that never met one of them would prove nothing about it. */
const TOUR: readonly Step[] = [
  ...(['Settled', 'Rejected', 'Returned'] as const).flatMap((status): Step[] => [
    { kind: 'cash-out', amount: 1_000n, charges: 25n, key: 'none' },
    { kind: 'follow' },
    { kind: 'work', which: 1, fault: 'none', processes: 1 },
    { kind: 'rail ends', which: 1, status },
    { kind: 'notification', which: 1, again: false },
  ]),
  { kind: 'sent back', which: 1 },
  { kind: 'notification', which: 1, again: false },
  { kind: 'cash-in', amount: 1_000n, charges: 25n },
  { kind: 'pay', which: 1, wrong: false },
  { kind: 'notification', which: 1, again: false },
  ...[301n, 600n].flatMap((part): Step[] => [
    { kind: 'refund', which: 1, amount: part, key: undefined },
    { kind: 'follow' },
    { kind: 'work', which: 1, fault: 'none', processes: 1 },
  ]),
  { kind: 'cash-in', amount: 1_000n, charges: 0n },
  { kind: 'pay', which: 1, wrong: true },
  { kind: 'cash-in', amount: 1_000n, charges: 0n },
  { kind: 'charge ends', which: 1, status: 'Returned' },
  { kind: 'notification', which: 1, again: false },
  { kind: 'notification', which: 1, again: false },
  { kind: 'notification', which: 1, again: false },
  { kind: 'notification', which: 1, again: false },
  { kind: 'cash-in', amount: 1_000n, charges: 0n },
  { kind: 'sweep' },
];

/** The rail reports another end of everything that has ended: final means final (decisions 6). */
async function assertFinal(): Promise<void> {
  const { inbox, transactions } = simulation;
  const at = new Date();
  const outcomes = [
    { status: 'Settled', at },
    { status: 'Rejected', at, code: 'AB03' },
    { status: 'Returned', at, code: 'AB03' },
  ] as const;
  for (const { id, type, endToEndId } of transactions) {
    for (const outcome of outcomes) {
      if (type === 'CashOut') expect(await inbox.cashOutChanged(endToEndId!, outcome)).toBe('Ignored');
      else if (outcome.status !== 'Settled' && type === 'CashIn')
        expect(await inbox.chargeChanged(txidOf(id), outcome)).toBe('Ignored');
      else if (outcome.status !== 'Returned' && type === 'Refund')
        expect(await inbox.refundChanged(endToEndId!, outcome)).toBe('Ignored');
    }
  }
}

describe('Pix, whatever happens in whatever order', () => {
  it(
    'keeps all money, pays nothing twice, and ends every transaction in an allowed state',
    async () => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(
          fc.bigInt(0n, 10_000n),
          fc.array(step, { minLength: 30, maxLength: 100, size: 'max' }),
          async (initial, steps) => {
            await simulation.begin(initial);
            const states = new Map<string, Transaction['state']>();
            const look = () => assertSound(states, seen);
            for (const one of steps) {
              try {
                await play(one);
              } catch (error) {
                // A refusal is an answer; a fault of the server is none.
                if (!(error instanceof AppError) || error.status === 500) throw error;
              }
              simulation.rail.fault = 'none';
              simulation.pass(20);
              if (!OUTSIDE.has(one.kind)) await look();
            }
            await simulation.settle(look);
            await assertSettled(initial);
            await assertFinal();
            await look();
          },
        ),
        // What was found is told, however far it has been made smaller by then.
        {
          numRuns: RUNS,
          examples: [[10_000n, [...TOUR]]],
          interruptAfterTimeLimit: RUNS * 3_500,
          markInterruptAsFailure: true,
        },
      );
      expect([...seen].sort()).toEqual([...ALLOWED].sort());
      await assertLedgerSound(simulation.owner);
      await simulation.replay();
    },
    RUNS * 4_000,
  );
});

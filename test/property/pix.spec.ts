import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { isAllowed } from '../../src/pix/domain/transitions.js';
import { AppError } from '../../src/platform/errors/index.js';
import type { RailFault } from '../support/model-rail.js';
import { PixSimulation } from '../support/pix-simulation.js';

// Money that belongs to nothing is an alarm, and these tests make plenty of it.
beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(new Logger()));

type Step =
  | { kind: 'cash-out'; amount: bigint; charges: bigint; key: 'none' | 'known' | 'unknown' }
  | { kind: 'cash-in'; amount: bigint; charges: bigint }
  | { kind: 'pay'; which: number; wrong: boolean }
  | { kind: 'cancel'; which: number; fault: RailFault }
  | { kind: 'refund'; which: number; amount: bigint | undefined; key: string | undefined }
  | { kind: 'rail ends'; which: number; status: 'Settled' | 'Rejected' | 'Returned' }
  | { kind: 'sent back'; which: number }
  | { kind: 'charge ends'; which: number; status: 'Rejected' | 'Returned' }
  | { kind: 'news'; which: number; again: boolean }
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
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('news' as const), which, again: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('follow' as const) }) },
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('work' as const), which, fault, processes: fc.constantFrom(1, 1, 1, 2) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
);

const pick = <T>(all: readonly T[], index: number): T | undefined => all[index % all.length];
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);

async function play(simulation: PixSimulation, one: Step): Promise<void> {
  const { rail, world } = simulation;
  const sent = [...rail.sent.keys()];
  const charged = [...rail.charges];
  const cashIns = world.transactions.filter(({ type }) => type === 'CashIn');
  switch (one.kind) {
    case 'cash-out':
      return simulation.cashOut(one.amount, one.charges, one.key);
    case 'cash-in':
      return simulation.cashIn(one.amount, one.charges);
    case 'pay': {
      const [txid, charge] = pick(charged, one.which) ?? [];
      return txid === undefined ? undefined : rail.pay(txid, charge!.amount + (one.wrong ? 1n : 0n));
    }
    case 'cancel': {
      const cashIn = pick(cashIns, one.which);
      rail.fault = one.fault === 'crash' ? 'answer lost' : one.fault;
      return cashIn && simulation.cancel(cashIn.id);
    }
    case 'refund': {
      const cashIn = pick(cashIns, one.which);
      return cashIn && simulation.refund(cashIn.id, one.amount, one.key);
    }
    case 'rail ends': {
      const id = pick(sent, one.which);
      return id === undefined ? undefined : rail.end(id, one.status);
    }
    case 'sent back': {
      const id = pick(sent, one.which);
      return id === undefined ? undefined : rail.sendBack(id);
    }
    case 'charge ends': {
      const [txid, charge] = pick(charged, one.which) ?? [];
      if (txid === undefined || charge!.payment) return;
      charge!.open = false;
      rail.news.push((inbox) => inbox.chargeChanged(txid, { status: one.status, code: 'AB03' }));
      return;
    }
    case 'news': {
      const index = rail.news.length === 0 ? -1 : one.which % rail.news.length;
      if (index < 0) return;
      const tell = one.again ? rail.news[index]! : rail.news.splice(index, 1)[0]!;
      await tell(simulation.inbox);
      return;
    }
    case 'follow':
      return simulation.follow();
    case 'work': {
      const id = pick([...simulation.work.keys()], one.which);
      return id === undefined ? undefined : simulation.perform(id, one.fault, one.processes);
    }
    case 'sweep':
      return simulation.sweep();
  }
}

/** What holds at any moment. */
function assertSound({ world }: PixSimulation, states: Map<string, string>): void {
  expect(sum(world.accounts.map(({ available, held }) => available + held))).toBe(0n);
  expect(world.account.available >= 0n && world.account.held >= 0n).toBe(true);
  const waiting = world.transactions.filter(({ state }) => state === 'Registered');
  const heldFor = waiting.filter(({ type, details }) => type === 'CashOut' || details?.direction === 'Out');
  expect(world.account.held).toBe(sum(heldFor.map((one) => one.amount + one.charges)));
  for (const { id, type, state } of world.transactions) {
    const before = states.get(id);
    // A return that comes in is registered and completed in one commit.
    if (before === undefined) expect([state, isAllowed(type, null, 'Registered')]).toEqual([state, true]);
    else if (before !== state) expect(isAllowed(type, before as 'Registered', state)).toBe(true);
    states.set(id, state);
  }
}

/** What holds when all has come to its end: the rail's books and the ledger tell the same. */
function assertSettled({ world, rail, work, initial }: PixSimulation): void {
  expect(work.size).toBe(0);
  expect(world.transactions.filter(({ state }) => state === 'Registered')).toEqual([]);
  expect(world.account.held).toBe(0n);

  const cashOuts = world.transactions.filter(({ type }) => type === 'CashOut');
  const expected = { Settled: 'Completed', Rejected: 'Error', Returned: 'Reversed', Pending: '', Unknown: 'Error' };
  for (const { endToEndId, state } of cashOuts) {
    const outcome = rail.sent.get(endToEndId!)?.outcome.status ?? 'Unknown';
    expect(state).toBe(expected[outcome]);
  }
  expect(rail.sent.size).toBeLessThanOrEqual(cashOuts.length);

  const credited = world.events
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
    const cashIn = world.transactions.find(({ id }) => txidOf(id) === txid);
    if (cashIn && inTime) expect(cashIn.state).toBe('Completed');
  }
  for (const cashIn of world.transactions.filter(({ type }) => type === 'CashIn')) {
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
  expect(world.settlement.available).toBe(out + back - incoming - returned);
  expect(world.account.available + world.fees.available).toBe(initial + incoming + returned - out - back);
}

describe('Pix, whatever happens in whatever order', () => {
  it('keeps all money, pays nothing twice, and ends every transaction in an allowed state', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt(0n, 10_000n),
        fc.array(step, { maxLength: 120, size: 'max' }),
        async (initial, steps) => {
          const simulation = new PixSimulation(initial);
          const states = new Map<string, string>();
          for (const one of steps) {
            try {
              await play(simulation, one);
            } catch (error) {
              if (!(error instanceof AppError)) throw error;
            }
            simulation.rail.fault = 'none';
            assertSound(simulation, states);
          }
          await simulation.settle();
          assertSound(simulation, states);
          assertSettled(simulation);
          for (const { type } of simulation.world.events) seen.add(type);
        },
      ),
      { numRuns: 500 },
    );
    // A property that never met these would prove nothing about them.
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'CashOutCompleted',
        'CashOutErrored',
        'CashOutReversed',
        'CashInCompleted',
        'CashInErrored',
        'CashInReversed',
        'CashInCancelled',
        'CashInPaymentReturned',
        'RefundCompleted',
        'RefundErrored',
        'PaymentReturnSettled',
      ]),
    );
  }, 120_000);
});

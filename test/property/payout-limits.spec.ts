import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decidePayoutLimits } from '../../src/accounts/domain/set-payout-limits.decider.js';
import type { AskedLimits } from '../../src/accounts/index.js';
import { newId } from '../../src/event-store/index.js';
import { funded, START, World } from '../support/given.js';
import { periodOf, refusalOf } from '../support/limit-model.js';
import { cashOut, cashOutEnds, COMPLETED } from '../support/pix-given.js';

const RUNS = Number(process.env.LIMITS_RUNS ?? 300);
const MINUTE_MS = 60_000;
const DELAY_MS = 24 * 60 * MINUTE_MS;
const NAMES = ['payment', 'day', 'night', 'month', 'hour'] as const;
type Name = (typeof NAMES)[number];
type Value = bigint | null;

type Step =
  | { kind: 'pay'; amount: bigint }
  | { kind: 'end'; which: number; state: 'Completed' | 'Error' | 'Reversed' }
  | { kind: 'wait'; minutes: number }
  | { kind: 'set'; name: Name; value: Value };

const value = fc.option(fc.bigInt(0n, 40n));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('pay' as const), amount: fc.bigInt(1n, 15n) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      which: fc.nat(100),
      state: fc.constantFrom('Completed' as const, 'Error' as const, 'Reversed' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      minutes: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 200, max: 900 }), fc.constant(9 * 24 * 60)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('set' as const), name: fc.constantFrom(...NAMES), value }) },
);

/** The simplest limits that could be right: every payout there was, and every value that a limit has or will have. */
class Model {
  readonly payouts: { id: string; at: Date; amount: bigint; counts: boolean; ended: boolean }[] = [];
  readonly #values = new Map<Name, { from: number; value: Value }[]>();
  #counting = false;

  constructor(private readonly nightStart: number) {}

  limit(name: Name, at: Date): Value {
    return this.#values.get(name)?.findLast(({ from }) => from <= at.getTime())?.value ?? null;
  }

  set(name: Name, to: Value, at: Date): void {
    const now = this.limit(name, at);
    const waits = this.#values.get(name)?.find(({ from }) => from > at.getTime());
    const isMore = (one: Value, other: Value) => other !== null && (one === null || one > other);
    if (!this.#counting && to === null) return;
    this.#counting = true;
    const later = waits && !isMore(to, waits.value) ? waits.from : at.getTime() + DELAY_MS;
    this.#values.set(name, [
      { from: 0, value: now },
      { from: isMore(to, now) ? later : at.getTime(), value: to },
    ]);
  }

  used(name: Name, at: Date): bigint {
    const kind = name === 'month' || name === 'hour' ? name : 'dayOrNight';
    const period = periodOf(kind, at, this.nightStart);
    const those = this.payouts.filter((one) => one.counts && periodOf(kind, one.at, this.nightStart) === period);
    return name === 'hour' ? BigInt(those.length) : those.reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** Names of the limits that a payout would pass. */
  passed(amount: bigint, at: Date): string[] {
    const current = periodOf('dayOrNight', at, this.nightStart).split(' ')[0] as Name;
    return NAMES.filter((name) => {
      const limit = this.limit(name, at);
      if (limit === null || ((name === 'day' || name === 'night') && name !== current)) return false;
      if (name === 'payment') return amount > limit;
      return this.used(name, at) + (name === 'hour' ? 1n : amount) > limit;
    });
  }

  accept(id: string, at: Date, amount: bigint): void {
    this.payouts.push({ id, at, amount, counts: this.#counting, ended: false });
  }
}

const REASONS: Readonly<Record<string, Name>> = {
  PaymentLimitExceeded: 'payment',
  DayLimitExceeded: 'day',
  NightLimitExceeded: 'night',
  MonthLimitExceeded: 'month',
  PayoutsPerHourExceeded: 'hour',
};

describe('limits of payouts', () => {
  it('let through what a simple model lets through: never passed, and given back by what was not paid', () => {
    let [accepted, refused, back] = [0, 0, 0];
    const property = fc.property(
      fc.constantFrom('20', '22'),
      fc.array(step, { minLength: 20, maxLength: 120 }),
      (nightStart, steps) => {
        const world = new World();
        const model = new Model(Number(nightStart));
        world.append(funded(1_000_000n)(world), START);
        let at = START;
        const change = (asked: AskedLimits) =>
          world.append(decidePayoutLimits(world.account, asked, { at, delayMs: DELAY_MS }), at);
        if (nightStart === '22') {
          // The first change of an account's limits, whatever it changes, begins the counting.
          change({ nightStart, month: '1000000' });
          model.set('month', 1_000_000n, at);
        }
        for (const one of steps) {
          if (one.kind === 'wait') at = new Date(at.getTime() + one.minutes * MINUTE_MS);
          if (one.kind === 'set') {
            change({ [one.name]: one.value === null ? null : one.value.toString() });
            model.set(one.name, one.value, at);
          }
          if (one.kind === 'end') {
            const payout = model.payouts[one.which % model.payouts.length];
            if (!payout || payout.ended) continue;
            const ending = one.state === 'Completed' ? COMPLETED : { state: one.state, reason: 'AC03' };
            world.append(cashOutEnds(payout.id, ending)(world, at), at);
            payout.ended = true;
            if (one.state === 'Completed') continue;
            payout.counts = false;
            back += 1;
          }
          if (one.kind === 'pay') {
            const id = newId(1);
            const passed = model.passed(one.amount, at);
            const refusal = refusalOf(() => world.append(cashOut(id, one.amount)(world, at), at));
            if (refusal === undefined) {
              expect(passed).toEqual([]);
              model.accept(id, at, one.amount);
              accepted += 1;
            } else {
              expect(passed).toContain(REASONS[refusal.reason]);
              refused += 1;
            }
          }
        }
      },
    );
    fc.assert(property, { numRuns: RUNS });
    // A property that met nothing would prove nothing.
    for (const met of [accepted, refused, back]) expect(met).toBeGreaterThan(RUNS);
  });
});

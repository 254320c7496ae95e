import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decidePayoutLimits } from '../../src/accounts/domain/set-payout-limits.decider.js';
import type { AskedLimits } from '../../src/accounts/index.js';
import { newId } from '../../src/event-store/index.js';
import { funded, HOLDER, START, World } from '../support/given.js';
import { LimitModel, limitText, type LimitValue, nameOf, refusalOf } from '../support/limit-model.js';
import { cashOut, cashOutEnds, COMPLETED } from '../support/pix-given.js';

const RUNS = Number(process.env.LIMITS_RUNS ?? 300);
const MINUTE_MS = 60_000;
const DELAY_MS = 24 * 60 * MINUTE_MS;
/** Whom `cashOut` pays. */
const PAYEE = '52998224725';
const NAMES = ['payment', 'day', 'night', 'month', 'hour'] as const;
type Name = (typeof NAMES)[number];

type Step =
  | { kind: 'pay'; amount: bigint }
  | { kind: 'end'; which: number; state: 'Completed' | 'Error' | 'Reversed' }
  | { kind: 'wait'; minutes: number }
  | { kind: 'set'; name: Name; value: LimitValue };

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

describe('limits of payouts', () => {
  it('let through what a simple model lets through: never passed, and given back by what was not paid', () => {
    let [accepted, refused, back] = [0, 0, 0];
    const property = fc.property(
      fc.constantFrom('20', '22'),
      fc.array(step, { minLength: 20, maxLength: 120 }),
      (nightStart, steps) => {
        const world = new World();
        const model = new LimitModel({ holder: HOLDER, raiseMs: DELAY_MS, nightStart: Number(nightStart) });
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
            change({ [one.name]: limitText(one.value) });
            model.set(one.name, one.value, at);
          }
          if (one.kind === 'end') {
            const payout = model.payouts[one.which % model.payouts.length];
            if (!payout || payout.ended) continue;
            const ending = one.state === 'Completed' ? COMPLETED : { state: one.state, reason: 'AC03' };
            world.append(cashOutEnds(payout.id, ending)(world, at), at);
            model.end(payout, one.state);
            if (one.state !== 'Completed') back += 1;
          }
          if (one.kind === 'pay') {
            const id = newId(1);
            const passed = model.passed(PAYEE, one.amount, at);
            const refusal = refusalOf(() => world.append(cashOut(id, one.amount)(world, at), at));
            if (refusal === undefined) {
              expect(passed).toEqual([]);
              model.accept(id, PAYEE, one.amount, at);
              accepted += 1;
            } else {
              expect(passed).toContain(nameOf(refusal));
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

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { registerContact, removeContact } from '../../src/accounts/domain/secure-contact.decider.js';
import { decidePayoutLimits } from '../../src/accounts/domain/set-payout-limits.decider.js';
import { type LimitName, taxpayer } from '../../src/accounts/index.js';
import { newId } from '../../src/event-store/index.js';
import { funded, HOLDER, PARTNER, START, World } from '../support/given.js';
import { LimitModel, limitText, type LimitValue, nameOf, refusalOf } from '../support/limit-model.js';
import { cashOut, cashOutEnds, COMPLETED } from '../support/pix-given.js';

const RUNS = Number(process.env.LIMITS_RUNS ?? 300);
const MINUTE_MS = 60_000;
/** Contacts wait so long. Other limits are raised at once here: how they wait is another property. */
const DELAY_MS = 60 * MINUTE_MS;

/** The holder, two natural persons, a legal person, whoever a code does not name. */
const PEOPLE = [HOLDER, '52998224725', '11144477735', '12345678000195', ''] as const;
const CONTACTS = PEOPLE.slice(1, 4);
const NAMES = [
  ...(['day', 'night', 'month', 'hour', 'payeeDay', 'payeeNight'] as const),
  ...(['ownPayment', 'ownDay', 'ownNight', 'ownMonth'] as const),
  ...(['othersPayment', 'othersDay', 'othersNight', 'othersMonth'] as const),
] satisfies LimitName[];

const kind = <K extends string>(name: K) => fc.constant(name);
const bound = fc.bigInt(0n, 40n);
const value = fc.option(bound);
const waits = fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 200, max: 900 }), fc.constant(9 * 24 * 60));
const limits = fc.record({ payment: value, day: value, night: value, month: value });
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: kind('pay'), to: fc.constantFrom(...PEOPLE), amount: fc.bigInt(1n, 15n) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('end'),
      which: fc.nat(100),
      state: fc.constantFrom('Completed' as const, 'Error' as const, 'Reversed' as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kind('wait'), minutes: waits }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('set'), name: fc.constantFrom(...NAMES), value }) },
  // A payee's limit is compared last: it is met only where it stands more often than others.
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('set'), name: fc.constantFrom('payeeDay', 'payeeNight'), value: bound }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('contact'), who: fc.constantFrom(...CONTACTS), limits }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('remove'), who: fc.constantFrom(...CONTACTS) }) },
);

describe('limits of payees', () => {
  it('let through what a simple model lets through, to the holder, to others, to contacts, to the nameless', () => {
    const met = { accepted: 0, back: 0, contact: 0, payee: 0, apart: 0 };
    const property = fc.property(fc.array(step, { minLength: 30, maxLength: 120 }), (steps) => {
      const world = new World();
      const model = new LimitModel({ holder: HOLDER, contactMs: DELAY_MS });
      world.append(funded(1_000_000n)(world), START);
      let at = START;
      const set = (name: LimitName, to: LimitValue) => {
        world.append(decidePayoutLimits(world.account, { [name]: limitText(to) }, { at, delayMs: 0 }), at);
        model.set(name, to, at);
      };
      set('month', 10_000n);
      for (const one of steps) {
        if (one.kind === 'wait') at = new Date(at.getTime() + one.minutes * MINUTE_MS);
        if (one.kind === 'set') set(one.name, one.value);
        if (one.kind === 'contact' && !model.contacts.has(one.who)) {
          const ref = taxpayer(PARTNER, one.who);
          const state = { account: world.account, contact: world.contact(one.who) };
          const asked = Object.fromEntries(Object.entries(one.limits).map(([name, to]) => [name, limitText(to)]));
          const contact = { name: 'Maria', taxNumber: one.who, limits: asked };
          world.append(registerContact(state, contact, { id: ref.clear, ref }, { at, delayMs: DELAY_MS }), at);
          model.registerContact(one.who, one.limits, at);
        }
        if (one.kind === 'remove' && model.contacts.delete(one.who)) {
          const state = { account: world.account, contact: world.contact(one.who) };
          world.append(removeContact(state, taxpayer(PARTNER, one.who).clear), at);
        }
        if (one.kind === 'end') {
          const payout = model.payouts[one.which % model.payouts.length];
          if (!payout || payout.ended) continue;
          const ending = one.state === 'Completed' ? COMPLETED : { state: one.state, reason: 'AC03' };
          world.append(cashOutEnds(payout.id, ending)(world, at), at);
          model.end(payout, one.state);
          if (one.state !== 'Completed') met.back += 1;
        }
        if (one.kind === 'pay') {
          const id = newId(1);
          const { to, amount } = one;
          const passed = model.passed(to, amount, at);
          const refusal = refusalOf(() => world.append(cashOut(id, amount, { to })(world, at), at));
          if (refusal) {
            expect(passed).toContain(nameOf(refusal));
            if (refusal.scope === 'Contact') met.contact += 1;
            else if (refusal.scope) met.apart += 1;
            if (refusal.reason.startsWith('Payee')) met.payee += 1;
          } else {
            expect(passed).toEqual([]);
            model.accept(id, to, amount, at);
            met.accepted += 1;
          }
        }
      }
    });
    fc.assert(property, { numRuns: RUNS });
    // A property that met nothing would prove nothing.
    for (const [what, times] of Object.entries(met)) expect([what, times > RUNS / 2]).toEqual([what, true]);
  }, 60_000);
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { registerContact, removeContact } from '../../src/accounts/domain/secure-contact.decider.js';
import { decidePayoutLimits } from '../../src/accounts/domain/set-payout-limits.decider.js';
import type { AskedAmounts, LimitName } from '../../src/accounts/index.js';
import { newId, taxpayer } from '../../src/event-store/index.js';
import { funded, HOLDER, PARTNER, START, World } from '../support/given.js';
import { periodOf, refusalOf } from '../support/limit-model.js';
import { cashOut, cashOutEnds, COMPLETED } from '../support/pix-given.js';

const RUNS = Number(process.env.LIMITS_RUNS ?? 300);
const MINUTE_MS = 60_000;
/** Contacts wait so long. Other limits are raised at once here: how they wait is another property. */
const DELAY_MS = 60 * MINUTE_MS;
const NIGHT = 20;

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

interface Payout {
  readonly id: string;
  readonly to: string;
  readonly at: Date;
  readonly amount: bigint;
  readonly asContact: boolean;
  readonly asPayee: boolean;
  counts: boolean;
  ended: boolean;
}

const REASONS = { day: 'DayLimitExceeded', night: 'NightLimitExceeded' } as const;

/** Every payout there was, and every limit as it is. */
class Model {
  readonly payouts: Payout[] = [];
  readonly limits = new Map<LimitName, bigint | null>();
  readonly contacts = new Map<string, { from: Date; limits: Record<keyof AskedAmounts, bigint | null> }>();

  isContact(to: string, at: Date): boolean {
    const contact = this.contacts.get(to);
    return contact !== undefined && contact.from <= at;
  }

  get countsPayees(): boolean {
    return (this.limits.get('payeeDay') ?? null) !== null || (this.limits.get('payeeNight') ?? null) !== null;
  }

  /** Reasons, and whose limits, that a payout would be refused for. */
  passed(to: string, amount: bigint, at: Date): string[] {
    const reasons: string[] = [];
    const check = (reason: string, limit: bigint | null | undefined, after: bigint) => {
      if (limit !== null && limit !== undefined && after > limit) reasons.push(reason);
    };
    const sum = (period: 'dayOrNight' | 'calendarDay' | 'month', those: (payout: Payout) => boolean) => {
      const now = periodOf(period, at, NIGHT);
      return this.payouts
        .filter((one) => one.counts && those(one) && periodOf(period, one.at, NIGHT) === now)
        .reduce((total, one) => total + one.amount, amount);
    };
    const isLegal = to.length === 14;
    const now = periodOf('dayOrNight', at, NIGHT).split(' ')[0] as 'day' | 'night';
    const its = isLegal ? 'day' : now;
    const period = isLegal ? 'calendarDay' : 'dayOrNight';
    const inHour = this.payouts.filter(
      (one) => one.counts && periodOf('hour', one.at, NIGHT) === periodOf('hour', at, NIGHT),
    );
    check('PayoutsPerHourExceeded', this.limits.get('hour'), BigInt(inHour.length + 1));
    if (this.isContact(to, at)) {
      const { limits: own } = this.contacts.get(to)!;
      const those = (one: Payout) => one.asContact && one.to === to;
      check('PaymentLimitExceeded Contact', own.payment, amount);
      check(`${REASONS[its]} Contact`, own[its], sum(period, those));
      check('MonthLimitExceeded Contact', own.month, sum('month', those));
      return reasons;
    }
    check(
      REASONS[now],
      this.limits.get(now),
      sum('dayOrNight', (one) => !one.asContact),
    );
    check(
      'MonthLimitExceeded',
      this.limits.get('month'),
      sum('month', (one) => !one.asContact),
    );
    const group = to === HOLDER ? 'own' : 'others';
    const scope = to === HOLDER ? 'Own' : 'Others';
    const apart = (one: Payout) => !one.asContact && (one.to === HOLDER) === (to === HOLDER);
    const limit = (name: string) => this.limits.get(`${group}${name}` as LimitName);
    check(`PaymentLimitExceeded ${scope}`, limit('Payment'), amount);
    check(`${REASONS[now]} ${scope}`, limit(now === 'day' ? 'Day' : 'Night'), sum('dayOrNight', apart));
    check(`MonthLimitExceeded ${scope}`, limit('Month'), sum('month', apart));
    const payee = sum(period, (one) => one.asPayee && one.to === to);
    if (its === 'day') check('PayeeDayLimitExceeded', this.limits.get('payeeDay'), payee);
    else check('PayeeNightLimitExceeded', this.limits.get('payeeNight'), payee);
    return reasons;
  }
}

const textOf = (amount: bigint | null) => (amount === null ? null : amount.toString());

describe('limits of payees', () => {
  it('let through what a simple model lets through, to the holder, to others, to contacts, to the nameless', () => {
    const met = { accepted: 0, back: 0, contact: 0, payee: 0, apart: 0 };
    const property = fc.property(fc.array(step, { minLength: 30, maxLength: 120 }), (steps) => {
      const world = new World();
      const model = new Model();
      world.append(funded(1_000_000n)(world), START);
      let at = START;
      const set = (name: LimitName, to: bigint | null) =>
        world.append(decidePayoutLimits(world.account, { [name]: textOf(to) }, { at, delayMs: 0 }), at);
      set('month', 10_000n);
      model.limits.set('month', 10_000n);
      for (const one of steps) {
        if (one.kind === 'wait') at = new Date(at.getTime() + one.minutes * MINUTE_MS);
        if (one.kind === 'set') {
          set(one.name, one.value);
          model.limits.set(one.name, one.value);
        }
        if (one.kind === 'contact' && !model.contacts.has(one.who)) {
          const ref = taxpayer(PARTNER, one.who);
          const state = { account: world.account, contact: world.contact(one.who) };
          const asked = Object.fromEntries(Object.entries(one.limits).map(([name, to]) => [name, textOf(to)]));
          const contact = { name: 'Maria', taxNumber: one.who, limits: asked };
          world.append(registerContact(state, contact, { id: ref.clear, ref }, { at, delayMs: DELAY_MS }), at);
          model.contacts.set(one.who, { from: new Date(at.getTime() + DELAY_MS), limits: one.limits });
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
          payout.ended = true;
          if (one.state === 'Completed') continue;
          payout.counts = false;
          met.back += 1;
        }
        if (one.kind === 'pay') {
          const id = newId(1);
          const { to, amount } = one;
          const passed = model.passed(to, amount, at);
          const refusal = refusalOf(() => world.append(cashOut(id, amount, { to })(world, at), at));
          if (refusal) {
            const named = [refusal.reason, ...(refusal.scope ? [refusal.scope] : [])].join(' ');
            expect(passed).toContain(named);
            if (refusal.scope === 'Contact') met.contact += 1;
            else if (refusal.scope) met.apart += 1;
            if (refusal.reason.startsWith('Payee')) met.payee += 1;
          } else {
            expect(passed).toEqual([]);
            const asContact = model.isContact(to, at);
            const asPayee = !asContact && model.countsPayees;
            model.payouts.push({ id, to, at, amount, asContact, asPayee, counts: true, ended: false });
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

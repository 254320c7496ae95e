import { describe, expect, it } from '@jest/globals';
import { ACCOUNT, credited, funded, given, type World } from '../../../test/support/given.js';
import { cashIn, payment, refund, REFUNDED, refundEnds } from '../../../test/support/pix-given.js';
import type { CautionaryRule } from '../../accounts/index.js';
import { newId } from '../../event-store/index.js';
import { type DepositFacts, rulesThatFit } from './caution.js';
import { returnHeldDeposit } from './held-return.decider.js';

const RULE: CautionaryRule = {
  id: newId(0),
  name: 'Rule',
  amountAbove: null,
  payerUnknown: false,
  payerInstitution: null,
  timeOfDay: null,
  companies: false,
  hours: 72,
};
/** 21:30 in São Paulo. */
const DEPOSIT: DepositFacts = {
  amount: 100_00n,
  at: new Date('2026-11-21T00:30:00Z'),
  payerInstitution: '60701190',
  isOfCompany: false,
};
const fits = (rule: Partial<CautionaryRule>, deposit: Partial<DepositFacts> = {}) =>
  rulesThatFit([{ ...RULE, ...rule }], { ...DEPOSIT, ...deposit }).length === 1;

describe('a rule of cautionary holds', () => {
  it('applies above its amount', () => {
    expect([fits({ amountAbove: '9999' }), fits({ amountAbove: '10000' })]).toEqual([true, false]);
  });

  it("applies to payers of its institution, and not where the rail does not tell the payer's", () => {
    const rule = { payerInstitution: '60701190' };
    expect([fits(rule), fits({ payerInstitution: '99999008' })]).toEqual([true, false]);
    expect(fits(rule, { payerInstitution: undefined })).toBe(false);
  });

  it.each([
    ['21:30', '21:31', true],
    ['21:31', '06:00', false],
    ['20:00', '06:00', true],
    ['06:00', '20:00', false],
    ['00:00', '21:30', false],
    ['21:30', '21:30', true],
  ])('from %s to %s applies at 21:30 in São Paulo: %s', (from, to, applies) => {
    expect(fits({ timeOfDay: { from, to } })).toBe(applies);
  });

  it('applies where all of its conditions do', () => {
    const timeOfDay = { from: '20:00', to: '06:00' };
    expect(fits({ amountAbove: '0', timeOfDay })).toBe(true);
    expect(fits({ amountAbove: '10000', timeOfDay })).toBe(false);
  });

  it("is for natural persons' accounts, unless it is for companies too", () => {
    expect(fits({ amountAbove: '0' }, { isOfCompany: true })).toBe(false);
    expect(fits({ amountAbove: '0', companies: true }, { isOfCompany: true })).toBe(true);
  });
});

const deposit = newId(1);
const holdId = newId(1);
const caution = { rule: { ...RULE, hours: 2 }, holdId };
const blocked = [funded(5_00n), cashIn(deposit, 10_00n, { charges: 1_00n }), payment(deposit, 10_00n, { caution })];
const LATER = new Date('2026-11-20T17:00:00.000Z');

const returned = (id: string, amount?: bigint) => (world: World, at: Date) => {
  const request = { id, returnId: `D-${id}`, holdId, amount, code: 'FR01' as const };
  return returnHeldDeposit(
    world.transaction(deposit),
    { account: world.account, hold: world.hold(holdId) },
    request,
    at,
  );
};

describe('a deposit to which a rule applies', () => {
  it('is completed and blocked together, less its charge, and says by which rule and until when', () => {
    const world = given(funded(5_00n), cashIn(deposit, 10_00n, { charges: 1_00n }))
      .when(payment(deposit, 10_00n, { caution }))
      .then(
        { type: 'CashInCompleted', data: { hold: { id: holdId, expiresAt: LATER.toISOString() } } },
        {
          type: 'HoldPlaced',
          data: {
            cause: 'Cautionary',
            reference: deposit,
            depositId: deposit,
            rule: { id: RULE.id, name: 'Rule' },
            amount: '900',
            filled: '900',
            expiresAt: LATER.toISOString(),
          },
        },
      );
    expect(world.account).toMatchObject({ uid: ACCOUNT, available: 5_00n, blocked: 9_00n });
    expect(world.transaction(deposit)).toMatchObject({ details: { hold: { id: holdId } }, payer: expect.any(String) });
  });

  it('that does not fit is not blocked: it goes back', () => {
    given(funded(0n), cashIn(deposit, 10_00n))
      .when(payment(deposit, 9_00n, { caution }))
      .then({ type: 'CashInErrored' });
  });

  it('goes back to its payer from what is blocked, in parts, and no further than that', () => {
    const [first, second] = [newId(1), newId(1)];
    const world = given(...blocked)
      .when(returned(first, 4_00n))
      .then(
        { type: 'RefundRegistered', data: { refundOf: deposit, amount: '400', holdId, code: 'FR01', postings: [] } },
        { type: 'HoldDrawn', data: { transactionId: first, amount: '400', closed: false } },
      );
    expect(world.account).toMatchObject({ available: 5_00n, held: 4_00n, blocked: 5_00n });
    given(...blocked, returned(first, 4_00n))
      .when(returned(second, 5_01n))
      .thenRefused('OperationError', 'HoldExceeded');
    given(...blocked, returned(first))
      .when(returned(second))
      .thenRefused('OperationError', 'HoldIsClosed');
    const done = given(...blocked, returned(first))
      .when(refundEnds(first, REFUNDED))
      .then({ type: 'RefundCompleted' });
    expect(done.account).toMatchObject({ available: 5_00n, held: 0n, blocked: 0n });
    expect(done.hold(holdId)).toMatchObject({ returned: 9_00n, status: 'Closed' });
  });

  it("goes back together with the partner's refunds no further than was paid", () => {
    const history = [...blocked, credited(20_00n), refund(newId(1), deposit, 8_00n)];
    given(...history)
      .when(returned(newId(1), 2_01n))
      .thenRefused('OperationError', 'RefundExceedsOriginal');
    given(...history)
      .when(returned(newId(1)))
      .then({ type: 'RefundRegistered', data: { amount: '200' } }, { type: 'HoldDrawn' });
  });

  it('is blocked again where the rail refuses; released at once where its time is over', () => {
    const id = newId(1);
    const refused = refundEnds(id, { state: 'Error', reason: 'AC07' });
    const history = [...blocked, returned(id)];
    const again = given(...history)
      .when(refused)
      .then({ type: 'RefundErrored', data: { postings: [] } }, { type: 'HoldRestored', data: { amount: '900' } });
    expect(again.account).toMatchObject({ available: 5_00n, held: 0n, blocked: 9_00n });
    expect(again.hold(holdId)).toMatchObject({ returned: 0n, status: 'Open' });
    expect(again.transaction(deposit).details).toMatchObject({ refunded: '0' });
    const over = given(...history)
      .when(refused, LATER)
      .then(
        { type: 'RefundErrored' },
        { type: 'HoldRestored' },
        { type: 'HoldReleased', data: { amount: '900', closed: true, cause: 'Expired' } },
      );
    expect(over.account).toMatchObject({ available: 14_00n, held: 0n, blocked: 0n });
  });
});

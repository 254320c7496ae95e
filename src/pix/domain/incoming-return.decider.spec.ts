import { describe, expect, it } from '@jest/globals';
import { credited, deactivated, funded, given, whileBalancesAre } from '../../../test/support/given.js';
import { cashIn, cashOut, cashOutEnds, COMPLETED, moneyBack, payment } from '../../../test/support/pix-given.js';
import { BALANCE_LIMIT, REPRESENTABLE } from '../../accounts/domain/balance-limit.js';
import { newId } from '../../event-store/index.js';

const parent = newId(1);
const second = newId(1);
const sent = [funded(100_00n), cashOut(parent, 10_00n), cashOutEnds(parent, COMPLETED)];

describe('money that comes back after a completed cash-out', () => {
  it('is a refund of its own that credits the account; the cash-out stays completed', () => {
    const world = given(...sent)
      .when(moneyBack(parent, 5_00n))
      .then(
        { type: 'RefundRegistered', data: { direction: 'In', refundOf: parent, postings: [] } },
        { type: 'RefundCompleted', data: { direction: 'In', amount: '500', returnId: 'D9' } },
      );
    expect(world.account).toMatchObject({ available: 95_00n, held: 0n });
    expect(world.transaction(parent).state).toBe('Completed');
  });

  it('is taken in parts up to what was sent; more is unmatched', () => {
    given(...sent, moneyBack(parent, 5_00n))
      .when(moneyBack(parent, 5_00n, 'D10'))
      .then({ type: 'RefundRegistered' }, { type: 'RefundCompleted' });
    given(...sent, moneyBack(parent, 5_00n))
      .when(moneyBack(parent, 5_01n, 'D10'))
      .then({ type: 'UnmatchedReturnReceived', data: { returnId: 'D10', amount: '501' } });
  });

  it('is unmatched where the cash-out was never completed', () => {
    given(funded(100_00n), cashOut(parent, 10_00n), cashOutEnds(parent, { state: 'Error', reason: 'AC07' }))
      .when(moneyBack(parent, 5_00n))
      .then({ type: 'UnmatchedReturnReceived' });
  });

  it('reaches an account that has become inactive', () => {
    given(...sent, deactivated)
      .when(moneyBack(parent, 5_00n))
      .then({ type: 'RefundRegistered' }, { type: 'RefundCompleted' });
  });
});

describe('money that comes back to a full account', () => {
  // In two steps: what the operator funds is bounded too.
  const full = [...sent, credited(BALANCE_LIMIT - 100_00n), cashIn(second, 10_00n), payment(second, 10_00n)];

  it('is credited all the same: there is room for what cannot be refused', () => {
    const world = given(...full)
      .when(moneyBack(parent, 10_00n))
      .then({ type: 'RefundRegistered' }, { type: 'RefundCompleted', data: { direction: 'In' } });
    expect(world.account.available).toBe(BALANCE_LIMIT + 10_00n);
  });

  it.each([
    ['it', { account: { available: REPRESENTABLE - 9_99n } }],
    ['what came in', { settlement: { available: 9_99n - REPRESENTABLE } }],
  ])('is unmatched where the balance of %s could not be stored', (_what, balances) => {
    given(...sent)
      .when(whileBalancesAre(balances, moneyBack(parent, 10_00n)))
      .then({ type: 'UnmatchedReturnReceived', data: { returnId: 'D9', amount: '1000' } });
  });

  it('of a payout that ends in error is available again', () => {
    given(funded(100_00n), cashOut(parent, 10_00n), credited(BALANCE_LIMIT - 100_00n))
      .when(cashOutEnds(parent, { state: 'Error', reason: 'AC03' }))
      .then({ type: 'CashOutErrored' });
  });
});

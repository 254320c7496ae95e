import { describe, expect, it } from '@jest/globals';
import { deactivated, funded, given } from '../../../test/support/given.js';
import { cashIn, cashOut, payment, refund, REFUNDED, refundEnds } from '../../../test/support/pix-given.js';
import { newId } from '../../event-store/index.js';

const parent = newId(1);
const first = newId(1);
const second = newId(1);
const paid = [funded(0n), cashIn(parent, 10_00n), payment(parent, 10_00n)];

describe('a refund of a cash-in', () => {
  it('holds its amount, and what is held leaves when the rail has given it back', () => {
    const world = given(...paid)
      .when(refund(first, parent, 4_00n))
      .then({ type: 'RefundRegistered', data: { direction: 'Out', amount: '400', refundOf: parent } });
    expect(world.account).toMatchObject({ available: 6_00n, held: 4_00n });
    const after = given(...paid, refund(first, parent, 4_00n))
      .when(refundEnds(first, REFUNDED))
      .then({ type: 'RefundCompleted', data: { returnId: `D-${first}` } });
    expect(after.account).toMatchObject({ available: 6_00n, held: 0n });
    expect(after.settlement.available).toBe(-6_00n);
    expect(after.transaction(parent).state).toBe('Completed');
  });

  it('without an amount gives back what is left', () => {
    given(...paid, refund(first, parent, 4_00n))
      .when(refund(second, parent))
      .then({ type: 'RefundRegistered', data: { amount: '600' } });
  });

  it('in parts gives back the original and no more, those under way counted', () => {
    given(...paid, refund(first, parent, 4_00n))
      .when(refund(second, parent, 6_01n))
      .thenRefused('OperationError', 'RefundExceedsOriginal');
    given(...paid, refund(first, parent, 4_00n))
      .when(refund(second, parent, 6_00n))
      .then({ type: 'RefundRegistered' });
    given(...paid, refund(first, parent))
      .when(refund(second, parent))
      .thenRefused('OperationError', 'RefundExceedsOriginal');
  });

  it('that the rail refused is available again, and may be tried again', () => {
    const world = given(...paid, refund(first, parent))
      .when(refundEnds(first, { state: 'Error', reason: 'AM09' }))
      .then({ type: 'RefundErrored', data: { reason: 'AM09' } });
    expect(world.account).toMatchObject({ available: 10_00n, held: 0n });
    given(...paid, refund(first, parent), refundEnds(first, { state: 'Error', reason: 'AM09' }))
      .when(refund(second, parent))
      .then({ type: 'RefundRegistered', data: { amount: '1000' } });
  });

  it('that has ended stays as it is', () => {
    given(...paid, refund(first, parent), refundEnds(first, REFUNDED))
      .when(refundEnds(first, { state: 'Error', reason: 'AM09' }))
      .thenNothing();
    given(...paid, refund(first, parent), refundEnds(first, REFUNDED))
      .when(refundEnds(first, REFUNDED))
      .thenNothing();
  });

  it('is refused for a cash-in that is not completed, and where available does not cover it', () => {
    given(funded(0n), cashIn(parent, 10_00n))
      .when(refund(first, parent))
      .thenRefused('OperationError', 'TransitionNotAllowed');
    given(...paid, cashOut(newId(1), 1n))
      .when(refund(first, parent))
      .thenRefused('OperationError', 'CustomerAccountInsufficientFunds');
    given(...paid, deactivated)
      .when(refund(first, parent))
      .thenRefused('AuthenticationError', 'CustomerAccountIsNotActive');
  });

  // Completed on 2026-11-20 in São Paulo; the ninetieth day after it is 2027-02-18.
  it('is possible to the end of the ninetieth day in São Paulo, and not after', () => {
    given(...paid)
      .when(refund(first, parent), new Date('2027-02-19T02:59:59.999Z'))
      .then({ type: 'RefundRegistered' });
    given(...paid)
      .when(refund(first, parent), new Date('2027-02-19T03:00:00.000Z'))
      .thenRefused('OperationError', 'RefundPeriodExpired');
  });
});

import { describe, expect, it } from '@jest/globals';
import { credited, deactivated, funded, given, whileBalancesAre } from '../../../test/support/given.js';
import { cashIn, chargeEnds, EXPIRES, expiry, PAYER, payment } from '../../../test/support/pix-given.js';
import { BALANCE_LIMIT } from '../../accounts/domain/balance-limit.js';
import { newId } from '../../event-store/index.js';
import { cancelCashIn } from './cash-in.decider.js';

const id = newId(1);
const { ispb, branch, number, digit } = PAYER;
const right = { ispb, branch, number: `${number}${digit}` };
const wrong = { ispb, branch, number: '9999999' };
const account = { ispb, branch, number, digit, type: 'CheckingsAccount' as const };

describe('a cash-in', () => {
  it.each([
    ['AmountBelowMinimum', { minimum: 10_01n }],
    ['AmountAboveMaximum', { maximum: 9_99n }],
    ['PaymentValueNotAboveCharge', { charges: 10_00n }],
    ['PaymentValueNotAboveCharge', { charges: 10_01n }],
  ])('is refused: %s', (reason, options) => {
    given(funded(0n))
      .when(cashIn(id, 10_00n, options))
      .thenRefused('InvalidInputError', reason);
  });

  it('is refused for an inactive account, and for an order that must be unique and is not', () => {
    given(funded(0n), deactivated)
      .when(cashIn(id, 10_00n))
      .thenRefused('AuthenticationError', 'CustomerAccountIsNotActive');
    given(funded(0n))
      .when(cashIn(id, 10_00n, { orderIsTaken: true }))
      .thenRefused('ConflictError', 'OrderIdAlreadyUsed');
  });

  it('is completed by a payment that fits: the value is credited and the charge taken at once', () => {
    const world = given(funded(0n), cashIn(id, 10_00n, { charges: 50n }))
      .when(payment(id, 10_00n))
      .then({ type: 'CashInCompleted', data: { payment: { endToEndId: 'E1', amount: '1000' } } });
    expect(world.account).toMatchObject({ available: 9_50n, held: 0n });
    expect([world.settlement.available, world.fees.available]).toEqual([-10_00n, 50n]);
    expect(world.transaction(id)).toMatchObject({ state: 'Completed', endToEndId: 'E1' });
  });

  it.each([
    ['another amount', 'AmountMismatch', {}, 10_01n],
    ['another tax number', 'PayerTaxNumberMismatch', { taxNumber: '11144477735' }, 10_00n],
    ['another account', 'PayerAccountMismatch', { account: { ...account, digit: '0' } }, 10_00n],
    ['none of the validation accounts', 'PayerAccountMismatch', { validationAccounts: [wrong, wrong] }, 10_00n],
    ['an amount that differs, before anything else', 'AmountMismatch', { taxNumber: '11144477735' }, 9_99n],
    [
      'a tax number that differs, before the account',
      'PayerTaxNumberMismatch',
      { taxNumber: '11144477735', validationAccounts: [wrong] },
      10_00n,
    ],
  ])('gives a payment back for %s', (_what, reason, expected, amount) => {
    const world = given(funded(0n), cashIn(id, 10_00n, { expectedPayer: { name: '', ...expected } }))
      .when(payment(id, amount))
      .then({ type: 'CashInErrored', data: { reason, returnId: 'D-E1', payment: { amount: amount.toString() } } });
    expect(world.account.available).toBe(0n);
    expect(world.transaction(id)).toMatchObject({ state: 'Error', errorReason: reason });
  });

  it.each([
    ['the account', { account }],
    ['the first validation account', { validationAccounts: [right, wrong] }],
    ['the second of three validation accounts', { validationAccounts: [wrong, right, wrong] }],
    ['the tax number', { taxNumber: PAYER.taxNumber }],
  ])('takes a payment from %s', (_what, expected) => {
    given(funded(0n), cashIn(id, 10_00n, { expectedPayer: { name: 'Maria', ...expected } }))
      .when(payment(id, 10_00n))
      .then({ type: 'CashInCompleted' });
  });

  it('gives a payment back when the account has become inactive', () => {
    given(funded(0n), cashIn(id, 10_00n), deactivated)
      .when(payment(id, 10_00n))
      .then({ type: 'CashInErrored', data: { reason: 'AccountIsNotActive', returnId: 'D-E1' } });
  });

  it('is refused where the account has no room for it, and a payment goes back where it has none any more', () => {
    given(funded(BALANCE_LIMIT)).when(cashIn(id, 10_00n)).thenRefused('OperationError', 'BalanceLimitExceeded');
    given(funded(BALANCE_LIMIT - 10_00n), cashIn(id, 10_00n), credited(1n))
      .when(payment(id, 10_00n))
      .then({ type: 'CashInErrored', data: { reason: 'BalanceLimitExceeded', returnId: 'D-E1' } });
  });

  it.each([
    ['what came in', { settlement: { available: 9_99n - BALANCE_LIMIT } }],
    ['charges', { fees: { available: BALANCE_LIMIT - 49n } }],
  ])('gives a payment back where the account of %s has no room for it', (_what, balances) => {
    given(funded(0n), cashIn(id, 10_00n, { charges: 50n }))
      .when(whileBalancesAre(balances, payment(id, 10_00n)))
      .then({ type: 'CashInErrored', data: { reason: 'BalanceLimitExceeded', returnId: 'D-E1' } });
  });

  it('takes a payment of the last moment, and gives a later one back', () => {
    given(funded(0n), cashIn(id, 10_00n))
      .when(payment(id, 10_00n, { at: EXPIRES }))
      .then({ type: 'CashInCompleted' });
    given(funded(0n), cashIn(id, 10_00n))
      .when(payment(id, 10_00n, { at: new Date(EXPIRES.getTime() + 1) }))
      .then(
        { type: 'CashInCancelled', data: { cause: 'Expired' } },
        { type: 'CashInPaymentReturned', data: { cause: 'Late' } },
      );
  });

  it.each([
    ['Completed', payment(id, 10_00n), 'Second'],
    ['Error', payment(id, 10_01n), 'Late'],
    ['Reversed', chargeEnds(id, 'Reversed'), 'Late'],
    ['Cancelled', expiry(id), 'Late'],
  ] as const)('that ended in %s gives a payment back and stays so', (state, end, cause) => {
    const world = given(funded(0n), cashIn(id, 10_00n), end)
      .when(payment(id, 10_00n, { endToEndId: 'E2' }))
      .then({ type: 'CashInPaymentReturned', data: { cause, returnId: 'D-E2' } });
    expect(world.transaction(id).state).toBe(state);
  });

  it.each([
    ['Completed', payment(id, 10_00n)],
    ['Error', chargeEnds(id, 'Error')],
    ['Reversed', chargeEnds(id, 'Reversed')],
    ['Cancelled', expiry(id)],
  ] as const)('that ended in %s is final: nothing else ends it', (_state, end) => {
    const ended = [funded(0n), cashIn(id, 10_00n), end];
    given(...ended)
      .when(expiry(id))
      .thenNothing();
    given(...ended)
      .when(chargeEnds(id, 'Error'))
      .thenNothing();
    given(...ended)
      .when(chargeEnds(id, 'Reversed'))
      .thenNothing();
    given(...ended)
      .when((world) => cancelCashIn(world.transaction(id)))
      .thenRefused('OperationError', 'TransitionNotAllowed');
  });

  it('is cancelled by its partner while it is unpaid', () => {
    given(funded(0n), cashIn(id, 10_00n))
      .when((world) => cancelCashIn(world.transaction(id)))
      .then({ type: 'CashInCancelled', data: { cause: 'CancelledByPartner' } });
  });
});

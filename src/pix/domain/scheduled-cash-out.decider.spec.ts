import { describe, expect, it } from '@jest/globals';
import { deactivated, funded, given, START } from '../../../test/support/given.js';
import {
  cashOut,
  cashOutEnds,
  cashOutIsCancelled,
  cashOutLater,
  cashOutRuns,
  COMPLETED,
  DUE,
} from '../../../test/support/pix-given.js';
import { newId } from '../../event-store/index.js';
import { OperationError } from '../../platform/errors/index.js';
import { cashOutRun } from './scheduled-cash-out.decider.js';

const id = newId(1);
const until = new Date(DUE.getTime() + 3_600_000);

describe('a payout for later', () => {
  it('holds nothing when it is scheduled, whatever the funds are', () => {
    const world = given(funded(0n))
      .when(cashOutLater(id, 10_00n, { charges: 50n }))
      .then({ type: 'CashOutScheduled', data: { amount: '1000', charges: '50' } });
    expect(world.account).toMatchObject({ available: 0n, held: 0n });
  });

  it.each([
    ['InvalidInputError', 'ScheduledForNotAllowed', { scheduledFor: START }],
    ['InvalidInputError', 'AmountAboveMaximum', { maximum: 9_99n }],
    ['ConflictError', 'OrderIdAlreadyUsed', { orderIsTaken: true }],
  ])('is refused at once with %s: %s', (name, reason, options) => {
    given(funded(100_00n))
      .when(cashOutLater(id, 10_00n, options))
      .thenRefused(name, reason);
  });

  it('is refused at once for an inactive account', () => {
    given(funded(100_00n), deactivated)
      .when(cashOutLater(id, 10_00n))
      .thenRefused('AuthenticationError', 'CustomerAccountIsNotActive');
  });

  it('holds at its time what it was scheduled with, charges and order included', () => {
    const world = given(funded(100_00n), cashOutLater(id, 10_00n, { charges: 50n }))
      .when(cashOutRuns(id), DUE)
      .then({ type: 'CashOutRegistered', data: { amount: '1000', charges: '50', orderId: 'order-1' } });
    expect(world.account).toMatchObject({ available: 89_50n, held: 10_50n });
    expect(world.transaction(id)).toMatchObject({ state: 'Registered', version: 2 });
  });

  it.each([
    ['AmountAboveMaximum', { maximum: 9_99n }, undefined],
    ['RailDoesNot', {}, new OperationError('RailDoesNot', 'The rail does not.')],
  ])('ends with the reason of what refuses it then: %s', (reason, options, refusal) => {
    const world = given(funded(100_00n), cashOutLater(id, 10_00n))
      .when(cashOutRuns(id, options, refusal), DUE)
      .then({ type: 'CashOutRefused', data: { reason } });
    expect(world.account).toMatchObject({ available: 100_00n, held: 0n });
    expect(world.transaction(id)).toMatchObject({ state: 'Error', version: 2 });
  });

  it('waits for funds until it may no longer', () => {
    const poor = [funded(10_00n), cashOutLater(id, 10_00n, { charges: 1n, retryUntil: until })];
    given(...poor)
      .when(cashOutRuns(id), new Date(until.getTime() - 1))
      .thenRefused('OperationError', 'CustomerAccountInsufficientFunds');
    given(...poor)
      .when(cashOutRuns(id), until)
      .then({ type: 'CashOutRefused', data: { reason: 'CustomerAccountInsufficientFunds' } });
  });

  it.each([
    ['made', [cashOutRuns(id)]],
    ['paid', [cashOutRuns(id), cashOutEnds(id, COMPLETED)]],
    ['cancelled', [cashOutIsCancelled(id)]],
  ])('that was %s is not made again, nor cancelled', (_what, history) => {
    const over = [funded(100_00n), cashOutLater(id, 10_00n), ...history];
    given(...over)
      .when(cashOutRuns(id), DUE)
      .thenNothing();
    given(...over)
      .when(cashOutIsCancelled(id))
      .thenRefused('OperationError', 'TransitionNotAllowed');
  });

  it('is cancelled with the work that would carry it out', () => {
    const world = given(funded(100_00n), cashOutLater(id, 10_00n))
      .when(cashOutIsCancelled(id))
      .then({ type: 'CashOutCancelled', data: { timerId: `timer-${id}` } });
    expect(world.transaction(id)).toMatchObject({ state: 'Cancelled', version: 2 });
  });

  it('is nothing that the rail ends', () => {
    given(funded(100_00n), cashOutLater(id, 10_00n))
      .when(cashOutEnds(id, { state: 'Error', reason: 'AC03' }))
      .thenNothing();
  });
});

describe('a run of a schedule', () => {
  const order = {
    id,
    method: 'Key' as const,
    amount: '1000',
    orderId: 'order-1',
    recipient: { subject: '', sealed: '' },
  };
  const terms = { scheduledFor: DUE, timerId: 'timer', scheduleId: 'schedule' };

  it.each([
    ['waits for its time', false, []],
    ['ends at once where another payout has its order', true, [{ version: 2, data: { reason: 'OrderIdAlreadyUsed' } }]],
  ])('%s', (_what, orderIsTaken, ending) => {
    const { account } = given(funded(100_00n))
      .when(cashOut(newId(1), 1n))
      .then({ type: 'CashOutRegistered' });
    const run = cashOutRun({ account, charges: 50n, orderIsTaken, ordersAreUnique: true }, order, terms);
    expect(run).toMatchObject([{ type: 'CashOutScheduled', version: 1, data: { charges: '50' } }, ...ending]);
    expect('orderIsUnique' in (run[0]!.data as object)).toBe(!orderIsTaken);
  });
});

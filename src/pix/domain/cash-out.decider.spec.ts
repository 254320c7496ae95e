import { describe, expect, it } from '@jest/globals';
import { deactivated, type Decision, funded, given, PARTNER } from '../../../test/support/given.js';
import { cashOut, cashOutEnds, COMPLETED } from '../../../test/support/pix-given.js';
import { transactionParty } from '../../accounts/index.js';
import { newId, personal } from '../../event-store/index.js';
import { failKeyLookUp, nameCashOut, noteExtras, resolveKey } from './cash-out.decider.js';

const id = newId(1);
const DAY = new Date('2026-11-20T15:00:00Z'); // noon in São Paulo
const NIGHT = new Date('2026-11-21T01:30:00Z'); // 22:30 there

describe('a cash-out', () => {
  it('is accepted with amount and charge held', () => {
    const { account } = given(funded(100_00n))
      .when(cashOut(id, 10_00n, { charges: 50n }))
      .then({ type: 'CashOutRegistered', data: { amount: '1000', charges: '50' } });
    expect(account).toMatchObject({ available: 89_50n, held: 10_50n });
  });

  it('may take all there is', () => {
    given(funded(10_50n))
      .when(cashOut(id, 10_00n, { charges: 50n }))
      .then({ type: 'CashOutRegistered' });
  });

  it.each([
    ['does not cover amount and charge', 10_49n, 10_00n],
    ['does not cover the amount', 9_99n, 10_00n],
  ])('is refused where available %s', (_what, available, amount) => {
    given(funded(available))
      .when(cashOut(id, amount, { charges: 50n }))
      .thenRefused('OperationError', 'CustomerAccountInsufficientFunds');
  });

  it('is refused for more than available, however much is held', () => {
    given(funded(100_00n), cashOut(newId(1), 60_00n))
      .when(cashOut(id, 50_00n))
      .thenRefused('OperationError', 'CustomerAccountInsufficientFunds');
  });

  it.each([
    ['AmountBelowMinimum', { minimum: 10_01n }],
    ['AmountAboveMaximum', { maximum: 9_99n }],
  ])('is refused outside the limits: %s', (reason, limits) => {
    given(funded(100_00n))
      .when(cashOut(id, 10_00n, limits))
      .thenRefused('InvalidInputError', reason);
  });

  it('is bound to another limit at night', () => {
    const request = cashOut(id, 10_00n, { nightMaximum: 9_99n });
    given(funded(100_00n)).when(request, NIGHT).thenRefused('InvalidInputError', 'AmountAboveMaximum');
    given(funded(100_00n)).when(request, DAY).then({ type: 'CashOutRegistered' });
  });

  it('is refused for an inactive account, and for an order that must be unique and is not', () => {
    given(funded(100_00n), deactivated)
      .when(cashOut(id, 10_00n))
      .thenRefused('AuthenticationError', 'CustomerAccountIsNotActive');
    given(funded(100_00n))
      .when(cashOut(id, 10_00n, { orderIsTaken: true }))
      .thenRefused('ConflictError', 'OrderIdAlreadyUsed');
  });

  it('is completed: what was held goes to the rail and to fees', () => {
    const { account, settlement, fees, ...world } = worldAfter(
      given(funded(100_00n), cashOut(id, 10_00n, { charges: 50n }))
        .when(cashOutEnds(id, COMPLETED))
        .then({ type: 'CashOutCompleted', data: { endToEndId: `E-${id}`, amount: '1000' } }),
    );
    expect(account).toMatchObject({ available: 89_50n, held: 0n });
    expect([settlement.available, fees.available]).toEqual([10_00n, 50n]);
    expect(world.transaction).toMatchObject({ state: 'Completed', errorReason: null });
  });

  it.each([
    ['Error', 'CashOutErrored', 'AC07'],
    ['Reversed', 'CashOutReversed', 'BE08'],
  ] as const)(
    'ends in %s: what was held is available again, the charge too, and the reason is kept',
    (state, type, reason) => {
      const { account, transaction } = worldAfter(
        given(funded(100_00n), cashOut(id, 10_00n, { charges: 50n }))
          .when(cashOutEnds(id, { state, reason }))
          .then({ type, data: { reason } }),
      );
      expect(account).toMatchObject({ available: 100_00n, held: 0n });
      expect(transaction).toMatchObject({ state, errorReason: reason });
    },
  );

  const ENDINGS = [COMPLETED, { state: 'Error', reason: 'AC07' }, { state: 'Reversed', reason: 'BE08' }] as const;
  it.each(ENDINGS.flatMap((first) => ENDINGS.map((second) => [first.state, second.state, first, second] as const)))(
    'that ended in %s stays so when the rail reports %s later',
    (_first, _second, first, second) => {
      given(funded(100_00n), cashOut(id, 10_00n), cashOutEnds(id, first)).when(cashOutEnds(id, second)).thenNothing();
    },
  );

  it('records extras of its end once, and a reason only where the end did not know it', () => {
    const extras = (world: { transaction(id: string): Parameters<typeof noteExtras>[0] }) =>
      noteExtras(world.transaction(id), { reason: 'AC03', fee: 10n });
    const failed = (reason: string) => cashOutEnds(id, { state: 'Error', reason });
    given(funded(100_00n), cashOut(id, 10_00n)).when(extras).thenNothing();
    given(funded(100_00n), cashOut(id, 10_00n), failed('AC03'))
      .when(extras)
      .then({ type: 'CashOutTold', data: { id, fee: '10' } });
    const world = given(funded(100_00n), cashOut(id, 10_00n), failed('NAO_REALIZADO'))
      .when(extras)
      .then({ type: 'CashOutTold', data: { id, reason: 'AC03', fee: '10' } });
    expect(world.transaction(id)).toMatchObject({ state: 'Error', errorReason: 'NAO_REALIZADO' });
    given(funded(100_00n), cashOut(id, 10_00n), failed('NAO_REALIZADO'), extras).when(extras).thenNothing();
  });

  it('records the owner of its key once, and not after its end', () => {
    const owner = personal(transactionParty(id), { name: 'Maria' });
    const resolved: Decision = (world) => resolveKey(world.transaction(id), world.account, owner);
    given(funded(100_00n), cashOut(id, 10_00n))
      .when(resolved)
      .then({ type: 'CashOutKeyResolved', data: { id, partnerUid: PARTNER } });
    given(funded(100_00n), cashOut(id, 10_00n), resolved).when(resolved).thenNothing();
    given(funded(100_00n), cashOut(id, 10_00n), cashOutEnds(id, COMPLETED)).when(resolved).thenNothing();
  });

  it('is named until its end: what was told of that says the same when it is told again', () => {
    const unnamed: Decision = (world) => nameCashOut({ ...world.transaction(id), endToEndId: null }, `E-${id}`);
    given(funded(100_00n), cashOut(id, 10_00n))
      .when(unnamed)
      .then({ type: 'CashOutNamed', data: { endToEndId: `E-${id}` } });
    const failed = cashOutEnds(id, { state: 'Error', reason: 'AC07' });
    given(funded(100_00n), cashOut(id, 10_00n), failed).when(unnamed).thenNothing();
  });

  it('ends in Error where its key is nobody’s, but not once another look-up has named the owner', () => {
    const resolved: Decision = (world) =>
      resolveKey(world.transaction(id), world.account, personal(transactionParty(id), {}));
    const unknown: Decision = (world) => failKeyLookUp(world.transaction(id), world, 'KeyNotFound');
    const { account } = given(funded(100_00n), cashOut(id, 10_00n))
      .when(unknown)
      .then({ type: 'CashOutErrored', data: { reason: 'KeyNotFound' } });
    expect(account).toMatchObject({ available: 100_00n, held: 0n });
    given(funded(100_00n), cashOut(id, 10_00n), resolved).when(unknown).thenNothing();
    given(funded(100_00n), cashOut(id, 10_00n), cashOutEnds(id, COMPLETED)).when(unknown).thenNothing();
  });
});

function worldAfter(world: ReturnType<ReturnType<ReturnType<typeof given>['when']>['then']>) {
  const { account, settlement, fees } = world;
  return { account, settlement, fees, transaction: world.transaction(id) };
}

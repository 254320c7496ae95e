import { describe, expect, it } from '@jest/globals';
import { type Decision, funded, given } from '../../../test/support/given.js';
import { cashOut, cashOutEnds, COMPLETED } from '../../../test/support/pix-given.js';
import { NO_LIMITS } from '../../accounts/domain/limit-terms.js';
import { decidePayoutLimits } from '../../accounts/domain/set-payout-limits.decider.js';
import type { AskedLimits } from '../../accounts/index.js';
import { newId } from '../../event-store/index.js';

/** Times are those of São Paulo. The history of a specification takes place at noon of the 20th. */
const time = (local: string) => new Date(`2026-11-${local}-03:00`);
const DAY_MS = 24 * 3_600_000;

const limits =
  (asked: AskedLimits, delayMs = DAY_MS): Decision =>
  (world, at) =>
    decidePayoutLimits(world.account, asked, { at, delayMs });
/** What happened at another time than the rest. */
const at =
  (moment: Date, decide: Decision): Decision =>
  (world) => {
    world.append(decide(world, moment), moment);
    return [];
  };
const payout = (amount: bigint) => cashOut(newId(1), amount);
const ACCEPTED = { type: 'CashOutRegistered' };
const RICH = funded(100_000_00n);

describe('limits of payouts', () => {
  it('cost an account without any nothing, not even in its events', () => {
    const { account, events } = given(RICH).when(payout(10_00n)).then(ACCEPTED);
    expect(account.payoutLimits).toBeNull();
    expect(events.at(-1)!.data).not.toHaveProperty('limitUse');
  });

  it('of one payout are no sum', () => {
    const world = [RICH, limits({ payment: '1000' }), payout(10_00n)] as const;
    given(...world)
      .when(payout(10_00n))
      .then(ACCEPTED);
    given(...world)
      .when(payout(10_01n))
      .thenRefused('OperationError', 'PaymentLimitExceeded');
  });

  it('of a day add up until the night begins, and those of a night until the morning', () => {
    const world = [RICH, limits({ day: '1000', night: '500' }), payout(7_00n)] as const;
    given(...world)
      .when(payout(3_00n), time('20T19:59'))
      .then(ACCEPTED);
    given(...world)
      .when(payout(3_01n), time('20T19:59'))
      .thenRefused('OperationError', 'DayLimitExceeded');
    const atNight = [...world, at(time('20T20:00'), payout(3_00n))] as const;
    given(...atNight)
      .when(payout(2_00n), time('21T05:59'))
      .then(ACCEPTED);
    given(...atNight)
      .when(payout(2_01n), time('21T05:59'))
      .thenRefused('OperationError', 'NightLimitExceeded');
    given(...atNight)
      .when(payout(10_00n), time('21T06:00'))
      .then(ACCEPTED);
  });

  it('of a month are its calendar month in São Paulo', () => {
    const world = [RICH, limits({ month: '1000' }), payout(7_00n)] as const;
    given(...world)
      .when(payout(3_01n), time('30T23:59'))
      .thenRefused('OperationError', 'MonthLimitExceeded');
    given(...world)
      .when(payout(10_00n), new Date('2026-12-01T00:00-03:00'))
      .then(ACCEPTED);
  });

  it('of an hour count payouts', () => {
    const world = [RICH, limits({ hour: '2' }), payout(1n), payout(1n)] as const;
    given(...world)
      .when(payout(1n), time('20T12:59'))
      .thenRefused('OperationError', 'PayoutsPerHourExceeded');
    given(...world)
      .when(payout(1n), time('20T13:00'))
      .then(ACCEPTED);
  });

  it('tell what is left, and from when all of it is again', () => {
    const world = given(RICH, limits({ day: '1000' }), payout(7_00n));
    let refusal: unknown;
    world
      .when((now, moment) => {
        try {
          return payout(3_01n)(now, moment);
        } catch (error) {
          refusal = error;
          return [];
        }
      })
      .thenNothing();
    expect(refusal).toMatchObject({
      status: 422,
      details: { reason: 'DayLimitExceeded', limit: '10.00', left: '3.00', from: '2026-11-20T23:00:00.000Z' },
    });
  });

  it('that were lowered below what was used leave nothing, and nothing less', () => {
    given(RICH, limits({ day: '1000' }), payout(7_00n), limits({ day: '500' }))
      .when(payout(1n))
      .thenRefused('OperationError', 'DayLimitExceeded');
  });

  it.each(['Error', 'Reversed'] as const)('are given back by a payout that ends in %s, once', (state) => {
    const id = newId(1);
    const ended = cashOutEnds(id, { state, reason: 'AC03' });
    const world = [
      RICH,
      limits({ day: '1000', month: '1000', hour: '1' }),
      cashOut(id, 10_00n, { charges: 50n }),
    ] as const;
    given(...world)
      .when(payout(1n))
      .thenRefused('OperationError', 'PayoutsPerHourExceeded');
    given(...world, ended)
      .when(payout(10_00n))
      .then(ACCEPTED);
    given(...world, ended, payout(10_00n), ended)
      .when(payout(1n), time('20T13:00'))
      .thenRefused('OperationError', 'DayLimitExceeded');
  });

  it('are not given back by a payout that was paid', () => {
    const id = newId(1);
    given(RICH, limits({ day: '1000' }), cashOut(id, 10_00n), cashOutEnds(id, COMPLETED))
      .when(payout(1n))
      .thenRefused('OperationError', 'DayLimitExceeded');
  });

  it('are given back to the period in which they were used, and to no other', () => {
    const id = newId(1);
    const failed = at(time('20T20:30'), cashOutEnds(id, { state: 'Error', reason: 'AC03' }));
    const world = [
      RICH,
      limits({ day: '1000', night: '1000', month: '2000', hour: '1' }),
      cashOut(id, 10_00n),
      at(time('20T20:00'), payout(10_00n)),
      failed,
    ] as const;
    given(...world)
      .when(payout(1n), time('20T20:59'))
      .thenRefused('OperationError', 'PayoutsPerHourExceeded');
    given(...world)
      .when(payout(1n), time('20T21:00'))
      .thenRefused('OperationError', 'NightLimitExceeded');
    given(...world)
      .when(payout(10_00n), time('21T06:00'))
      .then(ACCEPTED);
    given(...world)
      .when(payout(10_01n), time('21T06:00'))
      .thenRefused('OperationError', 'DayLimitExceeded');
  });

  it('do not give back what they never counted: a payout from before the first of them', () => {
    const early = newId(1);
    given(
      RICH,
      cashOut(early, 9_00n),
      limits({ day: '1000' }),
      payout(10_00n),
      cashOutEnds(early, { state: 'Error', reason: 'AC03' }),
    )
      .when(payout(1n))
      .thenRefused('OperationError', 'DayLimitExceeded');
  });

  it('keep counting while none is set', () => {
    given(RICH, limits({ day: '1000' }), limits({ day: null }, 0), payout(9_00n), limits({ day: '1000' }))
      .when(payout(1_01n))
      .thenRefused('OperationError', 'DayLimitExceeded');
  });
});

describe('a change of limits', () => {
  const world = [RICH, limits({ payment: '1000' })] as const;

  it('lowers at once', () => {
    given(...world, limits({ payment: '999' }))
      .when(payout(10_00n))
      .thenRefused('OperationError', 'PaymentLimitExceeded');
  });

  it.each([
    ['more', '2000'],
    ['no limit', null],
  ])('raises to %s after the delay', (_what, value) => {
    const raised = [...world, limits({ payment: value })] as const;
    given(...raised)
      .when(payout(10_01n), time('21T11:59:59.999'))
      .thenRefused('OperationError', 'PaymentLimitExceeded');
    given(...raised)
      .when(payout(20_00n), time('21T12:00'))
      .then(ACCEPTED);
  });

  it('that lowers a raise which waits keeps its moment; one that raises it more waits anew', () => {
    const from = (moment: string) => ({ from: time(moment).toISOString() });
    const raised = [...world, limits({ payment: '3000' })] as const;
    given(...raised)
      .when(limits({ payment: '2000' }), time('20T13:00'))
      .then({
        type: 'PayoutLimitsChanged',
        data: { terms: { payment: { value: '1000', next: { value: '2000', ...from('21T12:00') } } } },
      });
    given(...raised)
      .when(limits({ payment: '4000' }), time('20T13:00'))
      .then({
        type: 'PayoutLimitsChanged',
        data: { terms: { payment: { value: '1000', next: { value: '4000', ...from('21T13:00') } } } },
      });
    const { account } = given(...raised)
      .when(limits({ payment: '1000' }))
      .then({ type: 'PayoutLimitsChanged' });
    expect(account.payoutLimits!.terms.payment).toEqual({ value: '1000' });
  });

  it('leaves what it does not name, a raise that waits included', () => {
    const { account } = given(...world, limits({ payment: '3000' }))
      .when(limits({ day: '5000' }))
      .then({ type: 'PayoutLimitsChanged' });
    expect(account.payoutLimits!.terms).toMatchObject({
      payment: { value: '1000', next: { value: '3000' } },
      day: { value: '5000' },
    });
  });

  it('to what is already is none', () => {
    given(...world)
      .when(limits({ payment: '1000' }))
      .thenNothing();
    given(RICH)
      .when(limits({ payment: null }))
      .thenNothing();
  });

  it('to no limit, where there are some, is the account’s own: defaults that come later leave it', () => {
    const defaults = { revision: 2, terms: { ...NO_LIMITS, day: { value: '100' }, night: { value: '100' } } };
    const asked = { day: null, nightStart: '20' } as const;
    const paid = cashOut(newId(1), 5_00n, { defaults });
    given(...world)
      .when(paid)
      .thenRefused('OperationError', 'DayLimitExceeded');
    const own = [...world, limits(asked)] as const;
    const { account } = given(...own)
      .when(paid)
      .then({ type: 'PayoutLimitsChanged', data: { set: ['payment', 'day', 'nightStart'] } }, ACCEPTED);
    expect(account.payoutLimits!.terms).toMatchObject({ day: { value: null }, night: { value: '100' } });
    given(...own)
      .when(limits(asked))
      .thenNothing();
  });

  it('moves the beginning of the night between a night and a day, later only after the delay', () => {
    const first = given(RICH)
      .when(limits({ nightStart: '22' }))
      .then({ type: 'PayoutLimitsChanged' });
    expect(first.account.payoutLimits!.terms.nightStart).toEqual({ value: '22' });
    const evening = [RICH, limits({ night: '500' }), limits({ nightStart: '22' })] as const;
    given(...evening)
      .when(payout(5_01n), time('21T21:00'))
      .thenRefused('OperationError', 'NightLimitExceeded');
    given(...evening)
      .when(payout(5_01n), time('22T21:00'))
      .then(ACCEPTED);
    const back = [RICH, limits({ night: '500', nightStart: '22' }), limits({ nightStart: '20' })] as const;
    given(...back)
      .when(payout(5_01n), time('20T21:00'))
      .then(ACCEPTED);
    given(...back)
      .when(payout(5_01n), time('21T21:00'))
      .thenRefused('OperationError', 'NightLimitExceeded');
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  funded,
  given,
  HOLDER,
  PARTNER,
  START,
  whileRowsAre,
  type Decision,
  type World,
} from '../../../test/support/given.js';
import {
  cashIn,
  cashOut,
  cashOutEnds,
  cashOutIsCancelled,
  cashOutLater,
  cashOutRuns,
  chargeEnds,
  COMPLETED,
  EXPIRES,
  moneyBack,
  payment,
  refund,
  REFUNDED,
  refundEnds,
} from '../../../test/support/pix-given.js';
import { AccountOpened } from '../../accounts/domain/account.events.js';
import { decidePayoutLimits } from '../../accounts/domain/set-payout-limits.decider.js';
import { taxpayer, type Transaction } from '../../accounts/index.js';
import { transactionContradiction } from '../../accounts/transactions/transaction.js';
import { newId, personal, type RecordedEvent } from '../../event-store/index.js';
import { nameCashOut } from './cash-out.decider.js';
import type { Caution } from './caution.js';
import { returnHeldDeposit } from './held-return.decider.js';

/** Events that were decided on a row which somebody changed for a moment, and put back: what `verify` says of each. */
const [id, other, back, sibling] = [newId(1), newId(1), newId(1), newId(1)];

/** Another account of the partner, whose rows are all that somebody needs to name. */
const siblingOpened = (world: World) => {
  const holder = personal(taxpayer(PARTNER, HOLDER), {
    name: 'Loja',
    taxNumber: HOLDER,
    branch: '1',
    number: '2',
    digit: '3',
  });
  const data = { uid: sibling, partnerUid: PARTNER, holder, type: 'PaymentAccount', class: 'Standard' } as const;
  world.append([AccountOpened.create(`account-${sibling}`, 1, data)], START);
  return [];
};
const row = (changes: object, account?: string) => ({ transactions: { [id]: changes }, ...(account && { account }) });
const detail = (world: World, of: string, changes: object) => ({
  details: { ...world.transaction(of).details, ...changes },
});

const failed = { state: 'Error', reason: 'AC03' } as const;
const begun = [funded(100_00n), siblingOpened];
const open = [...begun, cashIn(id, 10_00n, { charges: 10n })];
const paid = [...open, payment(id, 10_00n)];
const sending = [...begun, cashOut(id, 10_00n, { charges: 10n })];
const sent = [...sending, cashOutEnds(id, COMPLETED)];
const refunding = [...paid, refund(back, id, 4_00n)];

describe('a deposit that is booked otherwise than it began', () => {
  it('to another account', () => {
    given(...open)
      .when(whileRowsAre(row({ accountUid: sibling }, sibling), payment(id, 10_00n)))
      .thenContradicted('postings', { found: expect.stringContaining(`${sibling} available 990`) });
  });

  it.each([
    ['of another amount', 'payment.amount', { amount: 90_00n }, 90_00n],
    ['with other charges', 'postings', { charges: 0n }, 10_00n],
  ])('%s', (_what, field, changes, amount) => {
    given(...open)
      .when(whileRowsAre(row(changes), payment(id, amount)))
      .thenContradicted(field);
  });

  it('after its time', () => {
    const at = new Date(EXPIRES.getTime() + 1);
    const late = { expiresAt: new Date(at.getTime() + 1).toISOString() };
    given(...open)
      .when((world, now) => whileRowsAre(row(detail(world, id, late)), payment(id, 10_00n, { at }))(world, now))
      .thenContradicted('payment.settledAt', { found: at.toISOString() });
  });

  it('again, once it has ended', () => {
    given(...paid)
      .when(whileRowsAre(row({ state: 'Registered' }), payment(id, 10_00n, { endToEndId: 'E2' })))
      .thenContradicted('state', { expected: 'Registered', found: 'Completed' });
  });

  it.each([
    ['as one that does not fit', 'payment.amount', { amount: 90_00n }],
    ['as one that came late', 'state', { state: 'Cancelled' }],
  ])('%s', (_what, field, changes) => {
    given(...open)
      .when(whileRowsAre(row(changes), payment(id, 10_00n)))
      .thenContradicted(field);
  });

  it('as reversed, once it was paid', () => {
    given(...paid)
      .when(whileRowsAre(row({ state: 'Registered' }), chargeEnds(id, 'Reversed')))
      .thenContradicted('state');
  });
});

it.each([
  ['before its time', 'timer', -3_600_000, 'Expired'],
  ['in time', 'timer', 0, undefined],
  ['as a payment came late, by the time of the rail', 'rail:sandbox', -3_600_000, undefined],
])('a charge that is closed %s', (_when, actor, ms, told) => {
  let deposit!: Transaction;
  const noted: Decision = (world) => ((deposit = world.transaction(id)), []);
  given(...open)
    .when(noted)
    .then();
  const event = {
    ...{ type: 'CashInCancelled', data: { id, cause: 'Expired' }, metadata: { actor } },
    time: new Date(EXPIRES.getTime() + ms),
  };
  expect(transactionContradiction(deposit, event as unknown as RecordedEvent, id)?.found).toBe(told);
});

describe.each([
  ['that was sent', COMPLETED],
  ['that failed', failed],
  ['that came back', { ...failed, state: 'Reversed' as const }],
])('a payout %s', (_what, ending) => {
  it.each([
    ['of another amount', ending === COMPLETED ? 'amount' : 'postings', { amount: 90_00n }],
    ['with other charges', 'postings', { charges: 89_90n }],
  ])('%s', (_how, field, changes) => {
    given(...sending)
      .when(whileRowsAre(row(changes), cashOutEnds(id, ending)))
      .thenContradicted(field);
  });

  it('on another account', () => {
    given(...sending)
      .when(whileRowsAre(row({ accountUid: sibling }, sibling), cashOutEnds(id, ending)))
      .thenContradicted('postings');
  });

  it('a second time, once it has ended', () => {
    given(...sent)
      .when(whileRowsAre(row({ state: 'Registered' }), cashOutEnds(id, ending)))
      .thenContradicted('state');
  });

  it('for a payout file that it is no line of', () => {
    given(...sending)
      .when((world, at) =>
        whileRowsAre(row(detail(world, id, { payoutFile: other })), cashOutEnds(id, ending))(world, at),
      )
      .thenContradicted('payoutFile', { expected: 'undefined', found: other });
  });
});

it.each([
  ['registered', cashOutRuns(id)],
  ['refused', cashOutRuns(id, { maximum: 1n })],
  ['cancelled', cashOutIsCancelled(id)],
])('a payout that waits no more, and is %s as if it did', (_what, decide) => {
  given(...begun, cashOutLater(id, 10_00n), cashOutIsCancelled(id))
    .when(whileRowsAre(row({ state: 'Scheduled' }), decide))
    .thenContradicted('state', { found: 'Cancelled' });
});

it('a payout that is named again', () => {
  given(...sending)
    .when(whileRowsAre(row({ endToEndId: null }), (world) => nameCashOut(world.transaction(id), 'E-another')))
    .thenContradicted('endToEndId', { expected: `E-${id}`, found: 'E-another' });
});

it('a payout that was sent as another one', () => {
  given(...sending)
    .when(whileRowsAre(row({ endToEndId: 'E-another' }), cashOutEnds(id, COMPLETED)))
    .thenContradicted('endToEndId', { found: 'E-another' });
});

it('a payout that is given back to the limits of another time', () => {
  const limits: Decision = ({ account }, at) => decidePayoutLimits(account, { day: '5000' }, { at, delayMs: 0 });
  const yesterday = { Registered: new Date(START.getTime() - 86_400_000).toISOString() };
  given(...begun, limits, cashOut(id, 10_00n))
    .when(whileRowsAre(row({ stateDates: yesterday }), cashOutEnds(id, failed)))
    .thenContradicted('limitUse', { found: expect.stringContaining(yesterday.Registered) });
});

describe('a refund that is booked otherwise', () => {
  it.each([
    ['than is left of its deposit', 'amount', { amount: 90_00n }, 11_00n],
    ['than on its account', 'accountUid', { accountUid: sibling }, 4_00n],
  ])('%s', (_what, field, changes, amount) => {
    given(...paid)
      .when(whileRowsAre(row(changes), refund(back, id, amount)))
      .thenContradicted(field);
  });

  it('than its deposit has been: it was never paid', () => {
    const state = { state: 'Completed', stateDates: { Completed: START.toISOString() } };
    given(...open)
      .when(whileRowsAre(row(state), refund(back, id, 4_00n)))
      .thenContradicted('refundOf', { found: 'CashIn, Registered' });
  });

  it.each([
    ['of another amount', 'amount', { amount: 9_00n }],
    ['of another deposit', 'refundOf', { refundOf: other }],
    ['of another return', 'returnId', { endToEndId: 'D-another' }],
  ])('than it began: %s', (_what, field, changes) => {
    given(...refunding)
      .when(whileRowsAre({ transactions: { [back]: changes } }, refundEnds(back, REFUNDED)))
      .thenContradicted(field);
  });

  it('than it began, where it failed', () => {
    given(...refunding)
      .when(whileRowsAre({ transactions: { [back]: { amount: 9_00n } } }, refundEnds(back, failed)))
      .thenContradicted('amount');
  });

  it.each([
    ['more than was sent', 'amount', { amount: 90_00n }, 90_00n],
    ['of another payout', 'originalEndToEndId', { endToEndId: 'E-another' }, 4_00n],
  ])('than its payout was: %s', (_what, field, changes, amount) => {
    given(...sent)
      .when(whileRowsAre(row(changes), moneyBack(id, amount)))
      .thenContradicted(field);
  });
});

describe('a return of blocked money', () => {
  const hold = newId(1);
  const rule = { id: 'rule', name: 'Rule', hours: 72 } as unknown as Caution['rule'];
  const blocked = [...begun, cashIn(id, 10_00n), payment(id, 10_00n, { caution: { rule, holdId: hold } })];
  const returning = (amount: bigint): Decision => {
    const request = { id: back, returnId: `D-${back}`, holdId: hold, code: 'FR01' as const, amount };
    return (world, at) => {
      return returnHeldDeposit(world.transaction(id), { account: world.account, hold: world.hold(hold) }, request, at);
    };
  };

  it('goes out, and is blocked again where the rail refuses', () => {
    given(...blocked, returning(4_00n))
      .when(refundEnds(back, failed))
      .then({ type: 'RefundErrored' }, { type: 'HoldRestored', data: { amount: '400' } });
  });

  it('is told where it is of another deposit', () => {
    given(...blocked, cashIn(other, 10_00n), payment(other, 10_00n, { endToEndId: 'E2' }))
      .when((world, at) => {
        const request = { id: back, returnId: `D-${back}`, holdId: hold, code: 'FR01' as const, amount: 4_00n };
        const held = { account: world.account, hold: world.hold(hold) };
        return returnHeldDeposit(world.transaction(other), held, request, at);
      })
      .thenContradicted('holdId', { expected: 'undefined', found: hold });
  });

  it('is told where the hold is said to be of another one', () => {
    given(...blocked)
      .when(whileRowsAre({ holds: { [hold]: { depositId: other } } }, returning(4_00n)))
      .thenContradicted('hold.depositId', { expected: id, found: other });
  });

  it('is told where it is available instead', () => {
    given(...blocked, returning(4_00n))
      .when(whileRowsAre({ transactions: { [back]: { details: {} } } }, refundEnds(back, failed)))
      .thenContradicted('postings', { expected: 'none' });
  });
});

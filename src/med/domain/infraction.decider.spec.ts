import { describe, expect, it } from '@jest/globals';
import { type Account, type Hold, placeHold, type Transaction } from '../../accounts/index.js';
import { evolveHold } from '../../accounts/domain/hold.js';
import { type LoadedRows, type NewEvent, Personal, type RecordedEvent } from '../../event-store/index.js';
import { advanceInfraction, nextDeadline } from './advance-infraction.js';
import { RefundUnderWay } from './errors.js';
import { after } from './deadlines.js';
import { followReturns } from './follow-returns.js';
import { cancelInfraction, decideInfraction, defendInfraction, reportInfraction } from './infraction.decider.js';
import { evolveInfraction, type Infraction, infractionsOf } from './infraction.js';
import { recordOwnReturn } from './own-return.decider.js';

const AT = new Date('2026-11-20T12:00:00.000Z');
const account = {
  ...{ uid: 'account', partnerUid: 'partner', available: 5_000n, held: 0n, blocked: 0n, entries: 3 },
  filling: null,
} as unknown as Account;
const deposit = {
  ...{ id: 'deposit', type: 'CashIn', state: 'Completed', accountUid: 'account', amount: 10_000n, version: 2 },
  ...{ orderId: 'o', endToEndId: 'E1', stateDates: { Completed: AT.toISOString() } },
  details: { refunded: '0', webhook: { url: 'https://partner.example' } },
} as unknown as Transaction;
const told = {
  railId: 'r',
  endToEndId: 'E1',
  amount: 8_000n,
  reason: 'Scam' as const,
  state: 'Open' as const,
  reportedAt: AT,
};
const made = { id: 'case', holdId: 'hold', reportedOver: { rail: 'sandbox' } };
const returns = { refundId: 'refund', returnId: 'D1', sentOver: { rail: 'efi', psp: 'conta-1' } };
const contested = (left = 10_000n, caution?: Hold) => ({ deposit, account, caution, left });
const defence = new Personal({ clear: 's' }, { text: 't', links: [] });

const recorded = (events: readonly NewEvent[]) =>
  events.map((event) => ({ ...event, time: AT })) as unknown as RecordedEvent[];
const types = (events: readonly NewEvent[]) => events.map(({ type }) => type);

/** A case after events. */
function fold(before: Infraction | undefined, events: readonly NewEvent[]): Infraction {
  return recorded(events)
    .filter((event) => infractionsOf(event).length > 0)
    .reduce((one, event) => evolveInfraction(one, event), before as Infraction);
}

const blocking = (filled: bigint): Hold =>
  recorded(
    placeHold(
      { ...account, available: filled },
      { id: 'hold', amount: 8_000n, cause: 'Med', reference: 'case', retryUntil: after(AT, 90) },
      AT,
    ),
  ).reduce<Hold | undefined>((hold, event) => evolveHold(hold, event), undefined)!;

const open = () => fold(undefined, reportInfraction(contested(), told, made, AT));
const state = (infraction: Infraction, filled = 5_000n, left = 10_000n, refunded = 10_000n - left) => ({
  ...{ infraction, hold: blocking(filled), left },
  deposit: { ...deposit, details: { ...deposit.details, refunded: refunded.toString() } },
  account: { ...account, available: 0n, blocked: filled },
});
/** A case that ends with money blocked. */
const CLOSED = ['InfractionClosed', 'HoldReleased'];
const advance = (known: ReturnType<typeof state>, at: Date, makesReturns = true, askedAt = at) =>
  advanceInfraction({ ...known, askedAt }, returns, at, makesReturns);
const agreed = (amount?: bigint) => fold(open(), decideInfraction(state(open()), { result: 'Agreed', amount }, AT));

describe('a report', () => {
  it('opens a case with its deadlines, and a hold of what is there that waits for the rest', () => {
    expect(reportInfraction(contested(), told, made, AT)).toMatchObject([
      {
        type: 'InfractionReported',
        data: {
          ...{ amount: '8000', holdId: 'hold', defenceUntil: after(AT, 5).toISOString() },
          ...{ decideUntil: after(AT, 7).toISOString(), returnUntil: after(AT, 90).toISOString() },
        },
      },
      { type: 'HoldPlaced', data: { cause: 'Med', reference: 'case', amount: '8000', filled: '5000' } },
    ]);
  });

  it('takes first what a rule blocks of the deposit, and other money for the rest', () => {
    const rule = { depositId: 'deposit', rule: { id: 'r', name: 'R' }, expiresAt: after(AT, 3) };
    const order = { id: 'caution', cause: 'Cautionary' as const, reference: 'deposit', byRule: rule };
    const filled = (amount: bigint) =>
      evolveHold(undefined, recorded(placeHold({ ...account, available: amount }, { ...order, amount }, AT))[0]!);
    const taken = (amount: bigint) => {
      const of = { ...contested(10_000n, filled(amount)), account: { ...account, blocked: amount } };
      return reportInfraction(of, told, made, AT)
        .slice(1)
        .map(({ type, data }) => {
          const { filled, amount, closed, postings } = data as Record<string, any>;
          return [type, filled ?? amount, closed, ...postings.map(({ balance }: { balance: string }) => balance)];
        });
    };
    expect(taken(9_000n)).toEqual([
      ['HoldReleased', '8000', false, '1000', '13000'],
      ['HoldPlaced', '8000', undefined, '5000', '9000'],
    ]);
    expect(taken(2_000n)).toEqual([
      ['HoldReleased', '2000', true, '0', '7000'],
      ['HoldPlaced', '7000', undefined, '0', '7000'],
    ]);
  });

  it("asks for no more than was not given back, by the rail's deadline where it names one", () => {
    const decideUntil = after(AT, 3);
    const [reported] = reportInfraction(contested(6_000n), { ...told, decideUntil }, made, AT);
    expect(reported!.data).toMatchObject({
      amount: '6000',
      defenceUntil: decideUntil.toISOString(),
      decideUntil: decideUntil.toISOString(),
    });
  });

  it('of a deposit that was given back, or is older than ninety days, blocks nothing and is closed', () => {
    const endings = (events: readonly NewEvent[]) => [types(events), fold(undefined, events).ending];
    const both = ['InfractionReported', 'InfractionClosed'];
    expect(endings(reportInfraction(contested(0n), told, made, AT))).toEqual([both, 'NothingLeft']);
    expect(endings(reportInfraction(contested(), told, made, after(AT, 90)))).toEqual([both, 'PeriodEnded']);
  });
});

describe('a defence', () => {
  it('is given once, in time, and before the decision', () => {
    const defended = defendInfraction(open(), 'partner', defence, AT);
    expect(types(defended)).toEqual(['InfractionDefended']);
    const again = () => defendInfraction(fold(open(), defended), 'partner', defence, AT);
    expect(again).toThrow('A defence was given already.');
    expect(() => defendInfraction(open(), 'partner', defence, after(AT, 6))).toThrow('The time for a defence is over.');
    expect(() => defendInfraction(agreed(), 'partner', defence, AT)).toThrow('nothing more is decided');
  });
});

describe('a decision', () => {
  it('that rejects releases what is blocked in the same commit, and is final', () => {
    const events = decideInfraction(state(open()), { result: 'Rejected' }, AT);
    expect(events).toMatchObject([
      { type: 'InfractionRejected' },
      { type: 'HoldReleased', data: { amount: '5000', closed: true } },
    ]);
    const rejected = fold(open(), events);
    expect(() => decideInfraction(state(rejected), { result: 'Agreed' }, AT)).toThrow('nothing more is decided');
  });

  it('that agrees is about what is asked at most, and moves no money itself', () => {
    expect(types(decideInfraction(state(open()), { result: 'Agreed' }, AT))).toEqual(['InfractionAgreed']);
    const more = () => decideInfraction(state(open()), { result: 'Agreed', amount: 8_001n }, AT);
    expect(more).toThrow('At most 80.00 is asked for.');
  });

  it('of nobody in time leaves the money blocked: the case is overdue, and closed after ninety days', () => {
    const late = advance(state(open()), after(AT, 7));
    expect(types(late)).toEqual(['InfractionOverdue']);
    const overdue = fold(open(), late);
    expect(advance(state(overdue), after(AT, 30))).toEqual([]);
    expect(nextDeadline(overdue, undefined, after(AT, 8))).toEqual(after(AT, 9));
    expect(types(advance(state(overdue), after(AT, 90)))).toEqual(CLOSED);
  });
});

describe('money of a case that was agreed with', () => {
  it('goes back from the hold, under an identifier that is stored first, one return at a time', () => {
    const events = advance(state(agreed()), AT);
    expect(events).toMatchObject([
      {
        type: 'RefundRegistered',
        data: {
          amount: '5000',
          returnId: 'D1',
          sentOver: returns.sentOver,
          holdId: 'hold',
          code: 'FR01',
          infractionId: 'case',
          postings: [],
        },
      },
      { type: 'HoldDrawn', data: { amount: '5000', transactionId: 'refund' } },
      { type: 'MedReturnRegistered', data: { amount: '5000', refundId: 'refund' } },
    ]);
    expect(advance(state(fold(agreed(), events)), AT)).toEqual([]);
  });

  it('is released beyond what was agreed on, and none is returned where the rail does that itself', () => {
    expect(advance(state(agreed(3_000n)), AT)).toMatchObject([
      { type: 'HoldReleased', data: { amount: '2000', closed: false } },
    ]);
    expect(advance(state(agreed()), AT, false)).toEqual([]);
  });

  it('is not what the partner gave back meanwhile', () => {
    for (const known of [open(), agreed()]) {
      const events = advance(state(known, 5_000n, 0n), AT);
      expect([types(events), fold(known, events).ending]).toEqual([
        ['InfractionClosed', 'HoldReleased'],
        'NothingLeft',
      ]);
      const less = advance(state(known, 5_000n, 3_000n), AT);
      expect(less).toMatchObject([{ type: 'HoldReleased', data: { amount: '2000', closed: false } }]);
    }
  });

  it('stays blocked for a refund that is pending, and goes back with it no further than the deposit', () => {
    const during = (pending: bigint) => state(agreed(), 5_000n, 10_000n, pending);
    expect(advance(during(10_000n), AT)).toEqual([]);
    expect(advance(during(7_000n), AT)).toMatchObject([
      { type: 'RefundRegistered', data: { amount: '3000' } },
      { type: 'HoldDrawn', data: { amount: '3000', closed: false } },
      { type: 'MedReturnRegistered', data: { amount: '3000' } },
    ]);
  });

  it('stays until the rail was asked after ninety days for what it gave back by itself', () => {
    expect(advance(state(agreed()), after(AT, 90), true, after(AT, 89))).toEqual([]);
    expect(types(advance(state(agreed()), after(AT, 91), true, after(AT, 90)))).toEqual(CLOSED);
  });

  it('stays after ninety days, when no return is under way', () => {
    const under = fold(agreed(), advance(state(agreed()), AT));
    expect(advance(state(under), after(AT, 90))).toEqual([]);
    expect(types(advance(state(agreed()), after(AT, 90)))).toEqual(CLOSED);
  });
});

describe('a return that the rail refuses', () => {
  const retryAt = (known: Infraction, at: Date) => {
    const rows = { of: () => new Map([['case', known]]) } as unknown as LoadedRows;
    const data = { id: 'refund', partnerUid: 'partner', amount: '5000', infractionId: 'case', reason: 'x' };
    const refused = { type: 'RefundErrored', stream: 'refund-refund', data } as unknown as NewEvent;
    return (followReturns([refused], rows, at)[0]!.data as { retryAt: string }).retryAt;
  };
  const oftenRefused = { ...agreed(), refusals: 9 };

  it('is tried again after a pause, and once more before the end of the ninety days', () => {
    const beforeTheEnd = after(AT, 90 - 1 / 24);
    expect(retryAt(agreed(), AT)).toBe(after(AT, 1 / 24).toISOString());
    expect(retryAt(oftenRefused, after(AT, 88))).toBe(after(AT, 89).toISOString());
    expect(retryAt(oftenRefused, after(AT, 89.5))).toBe(beforeTheEnd.toISOString());
    expect(retryAt(oftenRefused, beforeTheEnd)).toBe(after(beforeTheEnd, 1).toISOString());
  });
});

describe('a case that nothing wakes', () => {
  const beforeTheEnd = new Date(after(AT, 90).getTime() - 60 * 60_000);
  const looksAt = (one: Infraction, at: Date) => nextDeadline(one, blocking(5_000n), at);

  it('is looked at every day, an hour before its end, and at its end', () => {
    for (const one of [agreed(), fold(open(), advance(state(open()), after(AT, 7)))]) {
      expect(looksAt(one, after(AT, 8))).toEqual(after(AT, 9));
      expect(looksAt(one, after(AT, 89.5))).toEqual(beforeTheEnd);
      expect(looksAt(one, beforeTheEnd)).toEqual(after(AT, 90));
    }
    expect(looksAt(open(), AT)).toEqual(after(AT, 1));
    expect(looksAt(open(), after(AT, 6.5))).toEqual(after(AT, 7));
  });

  it('is looked at when its pause is over', () => {
    const pauseUntil = after(AT, 8.1);
    expect(looksAt({ ...agreed(), pauseUntil }, after(AT, 8))).toEqual(pauseUntil);
    expect(looksAt({ ...agreed(), pauseUntil }, pauseUntil)).toEqual(after(AT, 9.1));
  });
});

describe('a return that the rail made by itself', () => {
  const settlement = { ...account, uid: 'settlement', available: 0n };
  const given = (amount: bigint, known = state(agreed()), at = AT, isLast = false) =>
    recordOwnReturn(
      { ...known, settlement },
      { returnId: 'D1', amount, at: AT, refundId: 'r', receiptToken: 't', isLast },
      at,
    );
  const amounts = (events: readonly NewEvent[]) =>
    events.map(({ type, data }) => [type, (data as { amount: string }).amount]);
  const booked = (amount: string) =>
    ['RefundRegistered', 'HoldDrawn', 'MedReturnRegistered', 'RefundCompleted'].map((type) => [type, amount]);

  it('is registered and completed at once where all of it is blocked', () => {
    expect(amounts(given(5_000n))).toEqual(booked('5000'));
  });

  it('waits for later credits where less is blocked, agreed on or left of the deposit', () => {
    expect(given(5_001n)).toEqual([]);
    expect(given(3_001n, state(agreed(3_000n)))).toEqual([]);
    expect(given(2_001n, state(agreed(), 5_000n, 2_000n))).toEqual([]);
    expect(given(5_001n, state(agreed()), after(AT, 89))).toEqual([]);
  });

  it('is booked as far as it is covered when the ninety days end: nothing of that is released', () => {
    const end = after(AT, 90);
    const events = given(8_000n, state(agreed()), end);
    expect(amounts(events)).toEqual(booked('5000'));
    const postings = events.flatMap(({ data }) => (data as { postings?: { amount: string }[] }).postings ?? []);
    expect(postings.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(0n);
    expect(amounts(given(8_000n, state(agreed(3_000n)), end))).toEqual(booked('3000'));
    expect(amounts(given(8_000n, state(agreed(), 5_000n, 2_000n), end))).toEqual(booked('2000'));
    expect(given(8_000n, state(agreed(), 0n), end)).toEqual([]);
    expect(given(8_000n, state(open()), end)).toEqual([]);
  });

  it('waits at the end for a refund of the deposit that is under way, and may yet leave it covered', () => {
    const refunding = { ...state(agreed(), 5_000n, 2_000n), left: 4_000n };
    expect(given(2_001n, refunding)).toEqual([]);
    expect(() => given(2_001n, refunding, after(AT, 90))).toThrow(RefundUnderWay);
    expect(() => given(2_001n, refunding, AT, true)).toThrow(RefundUnderWay);
    expect(amounts(given(2_000n, refunding, AT, true))).toEqual(booked('2000'));
  });

  it('is booked as far as it is covered before the report is taken back, and only the rest is released', () => {
    for (const [known, told] of [
      [open(), [['InfractionAgreed', '8000']]],
      [agreed(), []],
    ] as const) {
      expect(amounts(given(8_000n, state(known), AT, true))).toEqual([...told, ...booked('5000')]);
      const { infraction, hold } = after3000(known);
      expect(cancelInfraction({ ...state(infraction), hold }, AT)).toMatchObject([
        { type: 'InfractionCancelled' },
        { type: 'HoldReleased', data: { amount: '2000', closed: true } },
      ]);
    }
    const ended = fold(agreed(), cancelInfraction(state(agreed()), AT));
    expect(given(5_000n, state(ended), AT, true)).toEqual([]);
  });

  /** A case of which the rail gave back 30.00, all in one commit. */
  function after3000(known: Infraction): { infraction: Infraction; hold: Hold } {
    const events = given(3_000n, state(known), AT, true);
    const drawn = recorded(events).find(({ type }) => type === 'HoldDrawn')!;
    return { infraction: fold(known, events), hold: evolveHold(blocking(5_000n), drawn) };
  }
});

describe('a report that is taken back', () => {
  it('releases what is blocked, and changes nothing once the case has ended', () => {
    const events = cancelInfraction(state(agreed()), AT);
    expect(types(events)).toEqual(['InfractionCancelled', 'HoldReleased']);
    expect(cancelInfraction(state(fold(agreed(), events)), AT)).toEqual([]);
  });
});

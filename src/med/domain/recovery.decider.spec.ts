import { describe, expect, it } from '@jest/globals';
import type { Transaction } from '../../accounts/index.js';
import { type NewEvent, Personal, type RecordedEvent } from '../../event-store/index.js';
import { after } from './deadlines.js';
import { followRecovery, requestRecovery } from './recovery.decider.js';
import { evolveRecovery, type Recovery } from './recovery.js';

const AT = new Date('2026-11-20T12:00:00.000Z');
const payout = {
  ...{ id: 'payout', type: 'CashOut', state: 'Completed', accountUid: 'account', amount: 10_000n, endToEndId: 'E1' },
  ...{ stateDates: { Completed: AT.toISOString() }, details: { refunded: '2500' } },
} as unknown as Transaction;
const request = { id: 'r', reason: 'Scam' as const, details: new Personal({ clear: 's' }, 'd') };

const ask = (of: Transaction, at = AT) => requestRecovery(of, 'partner', request, at);
const fold = (events: readonly NewEvent[], before?: Recovery) =>
  events.reduce<Recovery | undefined>(
    (one, event) => evolveRecovery(one, { ...event, time: AT } as unknown as RecordedEvent),
    before,
  )!;

describe('a recovery', () => {
  it('asks for what was paid and has not come back', () => {
    expect(ask(payout)).toMatchObject([{ type: 'RecoveryRequested', data: { amount: '7500', endToEndId: 'E1' } }]);
  });

  it('is of a completed payout of which something is left, within eighty days', () => {
    const whole = { ...payout, details: { refunded: '10000' } } as Transaction;
    expect(() => ask(whole)).toThrow('Only a completed payout');
    expect(() => ask({ ...payout, state: 'Registered' })).toThrow('Only a completed payout');
    expect(ask(payout, after(AT, 80))).toHaveLength(1);
    expect(() => ask(payout, after(AT, 81))).toThrow('80 days');
  });

  it('follows what the rail says, each once, and nothing after its end', () => {
    const requested = fold(ask(payout));
    const follow = (one: Recovery, outcome: Parameters<typeof followRecovery>[2]) =>
      followRecovery(one, 'partner', outcome);
    expect(follow(requested, { status: 'Unknown' })).toEqual([]);
    const opened = fold(follow(requested, { status: 'Pending' }), requested);
    expect([opened.status, follow(opened, { status: 'Pending' })]).toEqual(['Opened', []]);
    const accepted = fold(follow(opened, { status: 'Accepted', amount: 5_000n }), opened);
    expect(accepted).toMatchObject({ status: 'Accepted', accepted: 5_000n });
    expect(follow(accepted, { status: 'Refused', code: 'x' })).toEqual([]);
    expect(fold(follow(opened, { status: 'Refused', code: 'x' }), opened)).toMatchObject({ refusalCode: 'x' });
  });
});

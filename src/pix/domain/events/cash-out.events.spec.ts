import { describe, expect, it } from '@jest/globals';
import { transactionOf } from '../../../accounts/index.js';
import type { RecordedEvent } from '../../../event-store/index.js';
import './cash-out.events.js';

const recipient = { subject: 'maria', sealed: 'A' };
const terms = { id: 'one', accountUid: 'account', amount: '1000', charges: '10', orderId: 'order', recipient };
const event = (type: string, version: number, data: object): RecordedEvent => ({
  ...{ partition: 1, position: BigInt(version), id: `event-${version}`, stream: 'cash-out-one', version, type },
  ...{ time: new Date(0), data: { ...terms, ...data }, metadata: { actor: 'timer' } },
});
const scheduled = event('CashOutScheduled', 1, { schedule: {} });
const accepted = (data: object = {}) => event('CashOutRegistered', 2, { endToEndId: 'E1', ...data });

describe('a payout of the log', () => {
  it('is what its events make', () => {
    const { state, amount, endToEndId, details } = transactionOf('one', [scheduled, accepted()]);
    expect({ state, amount, endToEndId }).toEqual({ state: 'Registered', amount: 1000n, endToEndId: 'E1' });
    expect(details).toMatchObject({ recipient });
  });

  it.each([
    ['amount', { amount: '1' }],
    ['charges', { charges: '0' }],
    ['account', { accountUid: 'another' }],
    ['recipient', { recipient: { ...recipient, sealed: 'B' } }],
    ['recipient’s subject', { recipient: { ...recipient, subject: 'mallory' } }],
  ])('is none where it was accepted with another %s than it was scheduled with', (_what, data) => {
    expect(() => transactionOf('one', [scheduled, accepted(data)])).toThrow(/accepted otherwise/);
  });

  it.each([
    ['has no events', [], /the log has no transaction one/],
    ['has events of another transaction', [accepted({ id: 'two' })], /is none of the transaction one/],
    ['does not begin with its first event', [accepted()], /is none of the transaction one/],
    ['has two events of a version', [scheduled, scheduled], /is none of the transaction one/],
  ])('is none where its stream %s', (_what, events, message) => {
    expect(() => transactionOf('one', events)).toThrow(message);
  });
});

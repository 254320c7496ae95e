import { expect, it } from '@jest/globals';
import { transactionOf } from '../../accounts/index.js';
import type { RecordedEvent } from '../../event-store/index.js';
import './transfer.events.js';

const order = { id: 'one', sourceUid: 'alice', destinationUid: 'bob', amount: '1000' };
const event = (type: string, version: number, data: object = {}): RecordedEvent => ({
  ...{ partition: 1, position: BigInt(version), id: `event-${version}`, stream: 'transfer-one', version, type },
  ...{ time: new Date(0), data: { ...order, ...data }, metadata: { actor: 'timer' } },
});
const scheduled = event('TransferScheduled', 1, { schedule: {} });

it('a scheduled transfer is made as it was scheduled', () => {
  expect(transactionOf('one', [scheduled, event('TransferSettled', 2)]).state).toBe('Completed');
});

it.each([
  ['amount', { amount: '1' }],
  ['source', { sourceUid: 'mallory' }],
  ['destination', { destinationUid: 'mallory' }],
])('one that was made with another %s is none', (_what, data) => {
  expect(() => transactionOf('one', [scheduled, event('TransferSettled', 2, data)])).toThrow(/made otherwise/);
});

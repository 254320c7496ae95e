import { describe, expect, it } from '@jest/globals';
import type { Account, Transaction } from '../../accounts/index.js';
import type { RecordedEvent } from '../../event-store/index.js';
import { cancelTransfer, runTransfer, scheduleTransfer } from './scheduled-transfer.decider.js';
import type { TransferState } from './transfer.decider.js';

const AT = new Date('2026-11-20T12:00:00Z');
const DUE = new Date('2026-11-21T12:00:00Z');
const UNTIL = new Date('2026-11-22T12:00:00Z');

const account = (uid: string, changes: Partial<Account> = {}) =>
  ({
    uid,
    partnerUid: 'partner',
    system: null,
    class: 'Standard',
    status: 'Active',
    available: 5_000n,
    held: 0n,
    ...changes,
  }) as Account;
const state = (changes: Partial<TransferState> = {}): TransferState => ({
  source: { ...account('alice'), blocked: 0n, entries: 3 },
  destination: { ...account('bob', { available: 0n }), blocked: 0n, entries: 0 },
  limits: { minimum: 1n, maximum: 9_000n },
  sunset: null,
  ...changes,
});
const request = { id: 't1', destinationUid: 'bob', amount: 1_000n, terms: { scheduledFor: DUE, timerId: 'w1' } };

const waiting = (changes: Partial<Transaction> = {}) =>
  ({
    id: 't1',
    type: 'Transfer',
    state: 'Scheduled',
    accountUid: 'alice',
    counterpartyUid: 'bob',
    amount: 1_000n,
    details: { schedule: { scheduledFor: DUE.toISOString(), retryUntil: UNTIL.toISOString(), timerId: 'w1' } },
    version: 1,
    ...changes,
  }) as Transaction;

const reasonOf = (run: () => unknown) => {
  try {
    run();
    return undefined;
  } catch (error) {
    const { reason, entityName } = (error as { details: Record<string, string> }).details;
    return reason ?? entityName;
  }
};

describe('a transfer for later', () => {
  it('moves nothing when it is scheduled, whatever the funds are', () => {
    const poor = state({ source: account('alice', { available: 0n }) });
    const [event, ...others] = scheduleTransfer(poor, request, AT) as RecordedEvent[];
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'TransferScheduled',
      stream: 'transfer-t1',
      version: 1,
      data: { amount: '1000', schedule: { scheduledFor: DUE.toISOString(), timerId: 'w1' } },
    });
    expect(event!.data).not.toHaveProperty('postings');
  });

  it.each<[string, Partial<TransferState>]>([
    ['CustomerAccountIsNotActive', { source: account('alice', { status: 'Inactive' }) }],
    ['AmountAboveMaximum', { limits: { minimum: 1n, maximum: 999n } }],
    ['CustomerAccountEntity', { destination: undefined }],
    ['CustomerAccountEntity', { destination: account('bob', { partnerUid: 'other' }) }],
  ])('is refused at once with %s', (reason, changes) => {
    expect(reasonOf(() => scheduleTransfer(state(changes), request, AT))).toBe(reason);
  });

  it('settles at its time as the next event of its stream', () => {
    expect(runTransfer(state(), waiting(), DUE)).toMatchObject([
      { type: 'TransferSettled', stream: 'transfer-t1', version: 2, data: { postings: [{ amount: '-1000' }, {}] } },
    ]);
  });

  it('ends with the reason of what refuses it then', () => {
    const closed = state({ destination: account('bob', { status: 'Inactive' }) });
    expect(runTransfer(closed, waiting(), DUE)).toMatchObject([
      { type: 'TransferRefused', version: 2, data: { reason: 'DestinationAccountIsNotActive', sourceUid: 'alice' } },
    ]);
  });

  it('waits for funds until it may no longer', () => {
    const poor = state({ source: account('alice', { available: 999n }) });
    const before = new Date(UNTIL.getTime() - 1);
    expect(reasonOf(() => runTransfer(poor, waiting(), before))).toBe('CustomerAccountInsufficientFunds');
    const refused = [{ type: 'TransferRefused', data: { reason: 'CustomerAccountInsufficientFunds' } }];
    expect(runTransfer(poor, waiting(), UNTIL)).toMatchObject(refused);
    const impatient = waiting({ details: { schedule: { scheduledFor: DUE.toISOString(), timerId: 'w1' } } });
    expect(runTransfer(poor, impatient, DUE)).toMatchObject(refused);
  });

  it.each(['Completed', 'Error', 'Cancelled'] as const)('that is %s is neither made nor cancelled again', (ended) => {
    expect(runTransfer(state(), waiting({ state: ended }), DUE)).toEqual([]);
    expect(reasonOf(() => cancelTransfer(waiting({ state: ended }), 'partner'))).toBe('TransitionNotAllowed');
  });

  it('is cancelled with the work that would carry it out', () => {
    expect(cancelTransfer(waiting(), 'partner')).toMatchObject([
      { type: 'TransferCancelled', version: 2, data: { id: 't1', timerId: 'w1' } },
    ]);
  });
});

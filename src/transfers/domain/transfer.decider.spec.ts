import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../accounts/index.js';
import { decideTransfer, type TransferRequest, type TransferState } from './transfer.decider.js';

const AT = new Date('2026-11-20T12:00:00Z');

const account = (uid: string, changes: Partial<Account> = {}): Account => ({
  uid,
  partnerUid: 'partner',
  system: null,
  holder: null,
  type: 'PaymentAccount',
  class: 'Standard',
  status: 'Active',
  available: 5_000n,
  held: 0n,
  blocked: 0n,
  entries: 3,
  payoutLimits: null,
  openedAt: AT,
  filling: null,
  version: 1,
  ...changes,
});

/** Two accounts of one partner, 50.00 on the source; a spec passes only what it changes. */
const given = (changes: Partial<TransferState> = {}) => {
  const state: TransferState = {
    source: account('alice'),
    destination: account('bob', { available: 0n, entries: 0 }),
    limits: { minimum: 100n, maximum: null },
    sunset: null,
    ...changes,
  };
  return {
    when: (request: Partial<TransferRequest> = {}) => {
      const run = () => decideTransfer(state, { id: 't1', destinationUid: 'bob', amount: 1_000n, ...request }, AT);
      return {
        then: (expected: object) => expect(run()).toMatchObject(expected),
        thenRefused: (reason: string) => {
          let details: Record<string, unknown> = {};
          try {
            run();
          } catch (error) {
            details = (error as { details: Record<string, unknown> }).details;
          }
          expect(details.reason ?? details.entityName).toBe(reason);
        },
      };
    },
  };
};

describe('a transfer', () => {
  it('settles as one event whose postings sum to zero', () => {
    given()
      .when({ amount: 5_000n })
      .then([
        {
          type: 'TransferSettled',
          stream: 'transfer-t1',
          version: 1,
          data: {
            amount: '5000',
            postings: [
              { account: 'alice', bucket: 'available', amount: '-5000', entry: 4, balance: '0' },
              { account: 'bob', bucket: 'available', amount: '5000', entry: 1, balance: '5000' },
            ],
          },
        },
      ]);
  });

  it.each<[string, Partial<TransferState>, Partial<TransferRequest>]>([
    ['AmountBelowMinimum', {}, { amount: 99n }],
    ['AmountAboveMaximum', { limits: { minimum: 1n, maximum: 500n } }, { amount: 501n }],
    ['CustomerAccountIsNotActive', { source: account('alice', { status: 'Inactive' }) }, {}],
    ['TransferNotAvailableForAccountClass', { source: account('alice', { class: 'Legacy' }), sunset: AT }, {}],
    ['CustomerAccountEntity', { destination: undefined }, {}],
    ['CustomerAccountEntity', { destination: account('bob', { partnerUid: 'other' }) }, {}],
    ['CustomerAccountEntity', { destination: account('fees', { system: 'fees' }) }, {}],
    ['TransferToSameAccountNotAllowed', { destination: account('alice') }, {}],
    ['DestinationAccountIsNotActive', { destination: account('bob', { status: 'Inactive' }) }, {}],
    ['CustomerAccountInsufficientFunds', {}, { amount: 5_001n }],
    ['CustomerAccountInsufficientFunds', { source: account('alice', { available: 0n, held: 9_000n }) }, {}],
  ])('is refused with %s', (reason, state, request) => {
    given(state).when(request).thenRefused(reason);
  });

  it('of the legacy class works until the very moment of the sunset', () => {
    const legacy = { source: account('alice', { class: 'Legacy' }), sunset: new Date(AT.getTime() + 1) };
    given(legacy)
      .when()
      .then([{ type: 'TransferSettled' }]);
  });
});

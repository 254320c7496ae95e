import { type InlineProjection, type RowOfStream, Table } from '../event-store/index.js';
import { type Account, accountsOf, evolveAccount } from './domain/account.js';
import { contradictionOf } from './domain/payout-contradictions.js';

/** Fields fixed at opening are written once; balances, status, limits and versions are updated. */
export const accountTable = new Table<Account>({
  table: 'account',
  columns: {
    uid: 'uuid',
    partnerUid: 'uuid',
    system: 'text',
    holder: 'json',
    type: 'text',
    class: 'text',
    status: 'text',
    available: 'bigint',
    held: 'bigint',
    blocked: 'bigint',
    filling: 'json',
    entries: 'int',
    openedAt: 'timestamptz',
    version: 'int',
    payoutLimits: 'json',
  },
  alike: [['status', 'held', 'blocked', 'filling', 'payoutLimits']],
  changes: ['status', 'available', 'held', 'blocked', 'filling', 'entries', 'version', 'payoutLimits'],
});

/** Accounts with their balances: the guard against overdraft, and the partners' view. */
export const accountProjection: InlineProjection<Account> = {
  name: 'accounts',
  // Every posting reads two of them. About half a kilobyte each.
  remembered: 30_000,
  keysOf: accountsOf,
  evolve: evolveAccount,
  contradicts: contradictionOf,
  ...accountTable.inline(),
};

/** Its status and its limits are what its own stream makes of it; its balances are not. */
export function rowOfAccount(uid: string): RowOfStream<Account> {
  return { projection: accountProjection, key: uid, stream: `account-${uid}` };
}

import { type InlineProjection, Table } from '../event-store/index.js';
import { type Account, accountsOf, evolveAccount } from './domain/account.js';

/** What is fixed at opening is never written again; balances, status and versions are. */
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
    entries: 'int',
    openedAt: 'timestamptz',
    version: 'int',
  },
  changes: ['status', 'available', 'held', 'entries', 'version'],
});

/** Accounts with their balances: what guards against overdraft, and what the partners read. */
export const accountProjection: InlineProjection<Account> = {
  name: 'accounts',
  // Every movement of money reads two of them. About half a kilobyte each.
  remembered: 30_000,
  keysOf: accountsOf,
  evolve: evolveAccount,
  ...accountTable.inline(),
};

import type { QueryResultRow } from 'pg';
import { type InlineProjection, inserter, type Sealed, type Statement } from '../event-store/index.js';
import { type Account, accountsOf, evolveAccount } from './domain/account.js';
import type { AccountClass, AccountStatus, AccountType, Holder } from './domain/account.events.js';
import type { SystemAccount } from './domain/posting.js';

const COLUMNS = `uid, partner_uid, system, holder, type, class, status, available, held, entries, opened_at, version`;

export function parseAccount(row: QueryResultRow): Account {
  return {
    uid: row.uid as string,
    partnerUid: row.partner_uid as string,
    system: row.system as SystemAccount | null,
    holder: row.holder as Sealed<Holder> | null,
    type: row.type as AccountType,
    class: row.class as AccountClass,
    status: row.status as AccountStatus,
    available: BigInt(row.available as string),
    held: BigInt(row.held as string),
    entries: row.entries as number,
    openedAt: row.opened_at as Date,
    version: row.version as number,
  };
}

/** Accounts with their balances: what guards against overdraft, and what the partners read. */
export const accountProjection: InlineProjection<Account> = {
  name: 'accounts',
  // Every movement of money reads two of them. About half a kilobyte each.
  remembered: 30_000,
  keysOf: accountsOf,
  evolve: evolveAccount,
  keyOf: (account) => account.uid,
  parse: parseAccount,

  load: (partition, keys) => ({
    name: 'account-load',
    text: `select ${COLUMNS} from account where partition = $1 and uid = any($2::uuid[])`,
    values: [partition, keys],
  }),

  scan: (partition, afterKey, limit) => ({
    name: 'account-scan',
    text: `
      select ${COLUMNS} from account
      where partition = $1 and uid > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
      order by uid limit $3`,
    values: [partition, afterKey, limit],
  }),

  remove: (partition, keys) => [
    {
      name: 'account-remove',
      text: 'delete from account where partition = $1 and uid = any($2::uuid[])',
      values: [partition, keys],
    },
  ],

  save: (partition, { inserted, updated }) => [
    ...(inserted.length > 0 ? [insert(partition, inserted)] : []),
    ...(updated.length > 0 ? [update(partition, updated)] : []),
  ],
};

const insert = inserter<Account>('account-insert', 'account', [
  ['uid', 'uuid', (account) => account.uid],
  ['partner_uid', 'uuid', (account) => account.partnerUid],
  ['system', 'text', (account) => account.system],
  ['holder', 'json', (account) => account.holder && JSON.stringify(account.holder)],
  ['type', 'text', (account) => account.type],
  ['class', 'text', (account) => account.class],
  ['status', 'text', (account) => account.status],
  ['available', 'bigint', (account) => account.available],
  ['held', 'bigint', (account) => account.held],
  ['entries', 'int', (account) => account.entries],
  ['opened_at', 'timestamptz', (account) => account.openedAt],
  ['version', 'int', (account) => account.version],
]);

/**
 * What is fixed at opening is never written again; balances, status and versions are. The keys are named twice, so that
 * also a plan made while the table was small finds the rows by them.
 */
function update(partition: number, accounts: readonly Account[]): Statement {
  return {
    name: 'account-update',
    text: `
      update account a
      set available = n.available, held = n.held, entries = n.entries, status = n.status, version = n.version
      from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::int[], $6::text[], $7::int[])
        as n (uid, available, held, entries, status, version)
      where a.partition = $1 and a.uid = any($2::uuid[]) and a.uid = n.uid`,
    values: [
      partition,
      accounts.map((account) => account.uid),
      accounts.map((account) => account.available),
      accounts.map((account) => account.held),
      accounts.map((account) => account.entries),
      accounts.map((account) => account.status),
      accounts.map((account) => account.version),
    ],
  };
}

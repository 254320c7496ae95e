import type { QueryResultRow } from 'pg';
import type { InlineProjection, RecordedEvent } from '../event-store/index.js';
import { type AccessKey, type AccessKeyEvent, evolveAccessKey } from './domain/access-key.js';
import type { AccessKeyStatus, Permission } from './domain/access-key.events.js';

const COLUMNS = `id, account_uid, partner_uid, name, status, permissions, expires_at, allowed_ips, issued_at, version, bound`;
const EVENTS = new Set([
  'AccessKeyIssued',
  'AccessKeySecretBound',
  'AccessKeyDisabled',
  'AccessKeyEnabled',
  'AccessKeyRevoked',
]);

export function isAccessKeyEvent(event: RecordedEvent): event is AccessKeyEvent {
  return EVENTS.has(event.type);
}

export function parseAccessKey(row: QueryResultRow): AccessKey {
  return {
    id: row.id as string,
    accountUid: row.account_uid as string,
    partnerUid: row.partner_uid as string,
    name: row.name as string | null,
    status: row.status as AccessKeyStatus,
    permissions: row.permissions as Permission[],
    expiresAt: row.expires_at as Date | null,
    allowedIps: row.allowed_ips as string[] | null,
    issuedAt: row.issued_at as Date,
    version: row.version as number,
    bound: row.bound as boolean,
  };
}

/** The registry of access keys. A handful of writes a day: one row a statement is plain enough. */
export const accessKeyProjection: InlineProjection<AccessKey> = {
  name: 'accessKeys',
  keysOf: (event) => (isAccessKeyEvent(event) ? [event.data.id] : []),
  evolve: (key, event) => evolveAccessKey(key, event as AccessKeyEvent),
  keyOf: (key) => key.id,
  parse: parseAccessKey,

  load: (partition, keys) => ({
    name: 'access-key-load',
    text: `select ${COLUMNS} from access_key where partition = $1 and id = any($2::uuid[])`,
    values: [partition, keys],
  }),

  scan: (partition, afterKey, limit) => ({
    name: 'access-key-scan',
    text: `
      select ${COLUMNS} from access_key
      where partition = $1 and id > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
      order by id limit $3`,
    values: [partition, afterKey, limit],
  }),

  remove: (partition, keys) => [
    {
      name: 'access-key-remove',
      text: 'delete from access_key where partition = $1 and id = any($2::uuid[])',
      values: [partition, keys],
    },
  ],

  save: (partition, { inserted, updated }) =>
    [...inserted, ...updated].map((key) => ({
      name: 'access-key-save',
      text: `
        insert into access_key (partition, ${COLUMNS})
        values ($1, $2, $3, $4, $5, $6, $7::text[], $8, $9::text[], $10, $11, $12)
        on conflict (partition, id) do update
        set status = excluded.status, version = excluded.version, bound = excluded.bound`,
      values: [
        partition,
        key.id,
        key.accountUid,
        key.partnerUid,
        key.name,
        key.status,
        key.permissions,
        key.expiresAt,
        key.allowedIps,
        key.issuedAt,
        key.version,
        key.bound,
      ],
    })),
};

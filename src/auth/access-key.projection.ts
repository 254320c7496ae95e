import { type InlineProjection, Table } from '../event-store/index.js';
import { type AccessKey, type AccessKeyEvent, evolveAccessKey, isAccessKeyEvent } from './domain/access-key.js';

export const accessKeyTable = new Table<AccessKey>({
  table: 'access_key',
  columns: {
    id: 'uuid',
    accountUid: 'uuid',
    partnerUid: 'uuid',
    name: 'text',
    status: 'text',
    permissions: 'text[]',
    expiresAt: 'timestamptz',
    allowedIps: 'text[]',
    issuedAt: 'timestamptz',
    version: 'int',
    bound: 'boolean',
  },
  changes: ['status', 'version', 'bound'],
  seldom: true,
});

/** The registry of access keys. */
export const accessKeyProjection: InlineProjection<AccessKey> = {
  name: 'accessKeys',
  keysOf: (event) => (isAccessKeyEvent(event) ? [event.data.id] : []),
  evolve: (key, event) => evolveAccessKey(key, event as AccessKeyEvent),
  ...accessKeyTable.inline(),
};

import { defineEvent } from '../../event-store/index.js';

/** What a key may do; all of it by default. */
export const PERMISSIONS = [
  'accounts:read',
  'transfers:write',
  'pix:cashin',
  'pix:cashout',
  'webhooks:manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ACCESS_KEY_STATUSES = ['Active', 'Disabled', 'Revoked'] as const;
export type AccessKeyStatus = (typeof ACCESS_KEY_STATUSES)[number];

export const AccessKeyIssued = defineEvent<{
  id: string;
  accountUid: string;
  partnerUid: string;
  name: string | null;
  permissions: readonly Permission[];
  expiresAt: string | null;
  allowedIps: readonly string[] | null;
  /** The stored hash is bound to this key; absent for older keys. */
  bound?: true;
}>()('AccessKeyIssued', 'The operator issued an access key for an account. Its secret is kept apart, as a keyed hash.');

export const AccessKeySecretBound = defineEvent<{ id: string }>()(
  'AccessKeySecretBound',
  'A login bound the stored hash of an older key to that key.',
);

export const AccessKeyDisabled = defineEvent<{ id: string }>()(
  'AccessKeyDisabled',
  'The key and the tokens issued to it are refused until it is enabled again.',
);
export const AccessKeyEnabled = defineEvent<{ id: string }>()('AccessKeyEnabled', 'A disabled key is in use again.');
export const AccessKeyRevoked = defineEvent<{ id: string }>()(
  'AccessKeyRevoked',
  'The key is refused for ever, like an unknown one.',
);

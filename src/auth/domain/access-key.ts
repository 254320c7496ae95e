import type { EventOf, RecordedEvent } from '../../event-store/index.js';
import {
  AccessKeyDisabled,
  AccessKeyEnabled,
  AccessKeyIssued,
  AccessKeyRevoked,
  AccessKeySecretBound,
  type AccessKeyStatus,
  type Permission,
} from './access-key.events.js';

/** Credentials of one account, without their secret. */
export interface AccessKey {
  readonly id: string;
  readonly accountUid: string;
  readonly partnerUid: string;
  readonly name: string | null;
  readonly status: AccessKeyStatus;
  readonly permissions: readonly Permission[];
  readonly expiresAt: Date | null;
  /** CIDR networks; `null` allows every address. */
  readonly allowedIps: readonly string[] | null;
  readonly issuedAt: Date;
  /** Whether the stored hash is bound to this key. */
  readonly bound: boolean;
  readonly version: number;
}

const EVENTS = [AccessKeyIssued, AccessKeySecretBound, AccessKeyDisabled, AccessKeyEnabled, AccessKeyRevoked] as const;
const TYPES: ReadonlySet<string> = new Set(EVENTS.map(({ type }) => type));

export type AccessKeyEvent = EventOf<(typeof EVENTS)[number]>;

export function isAccessKeyEvent(event: RecordedEvent): event is AccessKeyEvent {
  return TYPES.has(event.type);
}

export function evolveAccessKey(key: AccessKey | undefined, event: AccessKeyEvent): AccessKey {
  if (event.type === 'AccessKeyIssued') {
    const { expiresAt, bound = false, ...data } = event.data;
    const expiry = expiresAt === null ? null : new Date(expiresAt);
    return { ...data, bound, expiresAt: expiry, status: 'Active', issuedAt: event.time, version: event.version };
  }
  if (!key) throw new TypeError(`${event.type} is about access key ${event.data.id}, which was never issued`);
  switch (event.type) {
    case 'AccessKeySecretBound':
      return { ...key, bound: true, version: event.version };
    case 'AccessKeyDisabled':
      return { ...key, status: 'Disabled', version: event.version };
    case 'AccessKeyEnabled':
      return { ...key, status: 'Active', version: event.version };
    case 'AccessKeyRevoked':
      return { ...key, status: 'Revoked', version: event.version };
  }
}

export function hasExpired(key: AccessKey, at: Date): boolean {
  return key.expiresAt !== null && key.expiresAt <= at;
}

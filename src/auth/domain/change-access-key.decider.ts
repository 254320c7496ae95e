import type { NewEvent } from '../../event-store/index.js';
import { EntityNotFound, OperationError } from '../../platform/errors/index.js';
import type { AccessKey } from './access-key.js';
import { AccessKeyDisabled, AccessKeyEnabled, AccessKeyRevoked, type AccessKeyStatus } from './access-key.events.js';

const CHANGES = {
  disable: { event: AccessKeyDisabled, to: 'Disabled' },
  enable: { event: AccessKeyEnabled, to: 'Active' },
  revoke: { event: AccessKeyRevoked, to: 'Revoked' },
} as const satisfies Record<string, { event: unknown; to: AccessKeyStatus }>;

/** Idempotent: no event for the present status. A revoked key stays revoked. */
export function decideAccessKeyChange(
  key: AccessKey | undefined,
  id: string,
  change: keyof typeof CHANGES,
): readonly NewEvent[] {
  if (!key) throw new EntityNotFound('AccessKeyEntity', 'accessKey', id);
  const { event, to } = CHANGES[change];
  if (key.status === to) return [];
  if (key.status === 'Revoked') throw new OperationError('TransitionNotAllowed', 'A revoked access key stays revoked.');
  return [event.create(`access-key-${id}`, key.version + 1, { id })];
}

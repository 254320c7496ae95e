import type { NewEvent } from '../../event-store/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import type { Auditor } from './auditor.js';
import { AuditorRevoked } from './auditor.events.js';

/** Idempotent: no event for a revoked auditor. @throws EntityNotFound */
export function decideRevocation(auditor: Auditor | undefined, id: string): readonly NewEvent[] {
  if (!auditor) throw new EntityNotFound('AuditorEntity', 'id', id);
  if (auditor.status === 'Revoked') return [];
  return [AuditorRevoked.create(`auditor-${id}`, auditor.version + 1, { id })];
}

import type { NewEvent } from '../../event-store/index.js';
import type { Auditor } from './auditor.js';
import { AuditorCredentialBound } from './auditor.events.js';

/** Idempotent: two requests with the same credential may both find it unbound. */
export function decideBinding(auditor: Auditor | undefined, id: string): readonly NewEvent[] {
  if (!auditor || auditor.bound) return [];
  return [AuditorCredentialBound.create(`auditor-${id}`, auditor.version + 1, { id })];
}

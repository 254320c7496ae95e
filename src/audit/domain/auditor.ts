import type { EventOf, RecordedEvent } from '../../event-store/index.js';
import { AuditorCredentialBound, AuditorRegistered, AuditorRevoked } from './auditor.events.js';

export interface Auditor {
  readonly id: string;
  readonly name: string;
  readonly partnerUid: string | null;
  readonly status: 'Active' | 'Revoked';
  readonly registeredAt: Date;
  /** Whether the stored hash is bound to this auditor. */
  readonly bound: boolean;
  readonly version: number;
}

/** The caller of the audit routes: an auditor, or an operator with a console session, who sees everything. */
export type AuditReader = Pick<Auditor, 'id' | 'partnerUid'> & {
  /** As in the metadata of events. */
  readonly actor: string;
};

/** An auditor, as the actor of events and requests. */
export function auditorActor(id: string): string {
  return `auditor:${id}`;
}

export type AuditorEvent = EventOf<typeof AuditorRegistered | typeof AuditorCredentialBound | typeof AuditorRevoked>;

export function isAuditorEvent(event: RecordedEvent): event is AuditorEvent {
  return AuditorRegistered.is(event) || AuditorCredentialBound.is(event) || AuditorRevoked.is(event);
}

export function evolveAuditor(auditor: Auditor | undefined, event: AuditorEvent): Auditor {
  if (event.type === 'AuditorRegistered') {
    const { bound = false, ...data } = event.data;
    return { ...data, bound, status: 'Active', registeredAt: event.time, version: event.version };
  }
  if (!auditor) throw new TypeError(`${event.type} is about auditor ${event.data.id}, who was never registered`);
  if (event.type === 'AuditorRevoked') return { ...auditor, status: 'Revoked', version: event.version };
  return { ...auditor, bound: true, version: event.version };
}

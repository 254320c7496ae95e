import { type EventOf, type InlineProjection, type RecordedEvent, Table } from '../../event-store/index.js';
import { AuditorCredentialBound, AuditorRegistered, AuditorRevoked } from '../domain/auditor.events.js';

export interface Auditor {
  readonly id: string;
  readonly name: string;
  readonly partnerUid: string | null;
  readonly status: 'Active' | 'Revoked';
  readonly registeredAt: Date;
  /** Whether the stored hash fits this auditor alone. */
  readonly bound: boolean;
  readonly version: number;
}

export type AuditorEvent = EventOf<typeof AuditorRegistered | typeof AuditorCredentialBound | typeof AuditorRevoked>;

export function isAuditorEvent(event: RecordedEvent): event is AuditorEvent {
  return AuditorRegistered.is(event) || AuditorCredentialBound.is(event) || AuditorRevoked.is(event);
}

function evolve(auditor: Auditor | undefined, event: AuditorEvent): Auditor {
  if (event.type === 'AuditorRegistered') {
    const { bound = false, ...data } = event.data;
    return { ...data, bound, status: 'Active', registeredAt: event.time, version: event.version };
  }
  if (!auditor) throw new TypeError(`${event.type} is about auditor ${event.data.id}, who was never registered`);
  if (event.type === 'AuditorRevoked') return { ...auditor, status: 'Revoked', version: event.version };
  return { ...auditor, bound: true, version: event.version };
}

export const auditorTable = new Table<Auditor>({
  table: 'auditor',
  columns: {
    id: 'uuid',
    name: 'text',
    partnerUid: 'uuid',
    status: 'text',
    registeredAt: 'timestamptz',
    version: 'int',
    bound: 'boolean',
  },
  changes: ['status', 'version', 'bound'],
  seldom: true,
});

/** Who may audit. */
export const auditorProjection: InlineProjection<Auditor> = {
  name: 'auditors',
  keysOf: (event) => (isAuditorEvent(event) ? [event.data.id] : []),
  evolve: (auditor, event) => evolve(auditor, event as AuditorEvent),
  ...auditorTable.inline(),
};

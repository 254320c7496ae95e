import type { QueryResultRow } from 'pg';
import type { EventOf, InlineProjection, RecordedEvent } from '../../event-store/index.js';
import { AuditorCredentialBound, AuditorRegistered, AuditorRevoked } from './auditor.events.js';

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

const COLUMNS = 'id, name, partner_uid, status, registered_at, version, bound';

export function isAuditorEvent(event: RecordedEvent): event is AuditorEvent {
  return AuditorRegistered.is(event) || AuditorCredentialBound.is(event) || AuditorRevoked.is(event);
}

export function parseAuditor(row: QueryResultRow): Auditor {
  return {
    id: row.id as string,
    name: row.name as string,
    partnerUid: row.partner_uid as string | null,
    status: row.status as Auditor['status'],
    registeredAt: row.registered_at as Date,
    version: row.version as number,
    bound: row.bound as boolean,
  };
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

/** Who may audit. A handful of writes a year: one row a statement is plain enough. */
export const auditorProjection: InlineProjection<Auditor> = {
  name: 'auditors',
  keysOf: (event) => (isAuditorEvent(event) ? [event.data.id] : []),
  evolve: (auditor, event) => evolve(auditor, event as AuditorEvent),
  keyOf: ({ id }) => id,
  parse: parseAuditor,

  load: (partition, keys) => ({
    name: 'auditor-load',
    text: `select ${COLUMNS} from auditor where partition = $1 and id = any($2::uuid[])`,
    values: [partition, keys],
  }),

  scan: (partition, afterKey, limit) => ({
    name: 'auditor-scan',
    text: `
      select ${COLUMNS} from auditor
      where partition = $1 and id > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
      order by id limit $3`,
    values: [partition, afterKey, limit],
  }),

  remove: (partition, keys) => [
    {
      name: 'auditor-remove',
      text: 'delete from auditor where partition = $1 and id = any($2::uuid[])',
      values: [partition, keys],
    },
  ],

  save: (partition, { inserted, updated }) =>
    [...inserted, ...updated].map(({ id, name, partnerUid, status, registeredAt, version, bound }) => ({
      name: 'auditor-save',
      text: `
        insert into auditor (partition, ${COLUMNS})
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        on conflict (partition, id) do update
        set status = excluded.status, version = excluded.version, bound = excluded.bound`,
      values: [partition, id, name, partnerUid, status, registeredAt, version, bound],
    })),
};

import { type InlineProjection, Table } from '../../event-store/index.js';
import { type Auditor, type AuditorEvent, evolveAuditor, isAuditorEvent } from '../domain/auditor.js';

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

/** The registry of auditors. */
export const auditorProjection: InlineProjection<Auditor> = {
  name: 'auditors',
  keysOf: (event) => (isAuditorEvent(event) ? [event.data.id] : []),
  evolve: (auditor, event) => evolveAuditor(auditor, event as AuditorEvent),
  ...auditorTable.inline(),
};

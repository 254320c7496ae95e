import type { QueryResultRow } from 'pg';
import { type InlineProjection, type RowOfStream, Table } from '../event-store/index.js';
import { evolvePartner, isPartnerEvent, type Partner, type PartnerEvent } from './domain/partner.js';
import { DEFAULT_SETTINGS, PartnerRegistered, type PartnerSettings } from './domain/partner.events.js';

const partnerTable = new Table<Partner>({
  table: 'partner',
  columns: {
    uid: 'uuid',
    homePartition: 'int',
    holder: 'json',
    settings: 'json',
    webhookSecrets: 'json',
    registeredAt: 'timestamptz',
    version: 'int',
    cautionaryRules: 'json',
  },
  changes: ['settings', 'webhookSecrets', 'version', 'cautionaryRules'],
  seldom: true,
});

/** Older rows lack this setting; a row that lacks any other was tampered with. */
export function parsePartner(row: QueryResultRow): Partner {
  const partner = partnerTable.parse(row);
  return {
    ...partner,
    settings: {
      accountDecides: DEFAULT_SETTINGS.accountDecides,
      ...(partner.settings as Omit<PartnerSettings, 'accountDecides'>),
    },
  };
}

/** The registry of partners. */
export const partnerProjection: InlineProjection<Partner> = {
  name: 'partners',
  keysOf: (event) => (isPartnerEvent(event) ? [event.data.uid] : []),
  evolve: (partner, event) => evolvePartner(partner, event as PartnerEvent),
  ...partnerTable.inline(),
  parse: parsePartner,
};

export function rowOfPartner(uid: string): RowOfStream<Partner> {
  return { projection: partnerProjection, key: uid, stream: `partner-${uid}` };
}

/** The partner of a tax number, by its keyed hash (hex): it is unique among partners. */
export interface PartnerTaxNumber {
  readonly lookup: string;
  readonly partnerUid: string;
}

const partnerTaxNumberTable = new Table<PartnerTaxNumber>({
  table: 'partner_tax_number',
  columns: { lookup: 'hex', partnerUid: 'uuid' },
  seldom: true,
});

export const partnerTaxNumberProjection: InlineProjection<PartnerTaxNumber> = {
  name: 'partnerTaxNumbers',
  keysOf: (event) => (PartnerRegistered.is(event) ? [event.data.taxNumberLookup] : []),
  evolve: (_row, event, lookup) => ({ lookup, partnerUid: (event as PartnerEvent).data.uid }),
  ...partnerTaxNumberTable.inline(),
};

import type { QueryResultRow } from 'pg';
import type { InlineProjection, RecordedEvent, Sealed } from '../event-store/index.js';
import { evolvePartner, type Partner, type PartnerEvent, type WebhookSecretRef } from './domain/partner.js';
import {
  DEFAULT_SETTINGS,
  type PartnerHolder,
  PartnerRegistered,
  type PartnerSettings,
} from './domain/partner.events.js';

const COLUMNS = `uid, home_partition, holder, settings, webhook_secrets, registered_at, version`;
const EVENTS = new Set(['PartnerRegistered', 'PartnerSettingsChanged', 'WebhookSecretRotated']);

export function isPartnerEvent(event: RecordedEvent): event is PartnerEvent {
  return EVENTS.has(event.type);
}

export function parsePartner(row: QueryResultRow): Partner {
  return {
    uid: row.uid as string,
    homePartition: row.home_partition as number,
    holder: row.holder as Sealed<PartnerHolder>,
    // Rows of before this setting was there do not have it; any other that is missing, somebody took away.
    settings: {
      accountDecides: DEFAULT_SETTINGS.accountDecides,
      ...(row.settings as Omit<PartnerSettings, 'accountDecides'>),
    },
    webhookSecrets: row.webhook_secrets as WebhookSecretRef[],
    registeredAt: row.registered_at as Date,
    version: row.version as number,
  };
}

/** The registry of partners. */
export const partnerProjection: InlineProjection<Partner> = {
  name: 'partners',
  keysOf: (event) => (isPartnerEvent(event) ? [event.data.uid] : []),
  evolve: (partner, event) => evolvePartner(partner, event as PartnerEvent),
  keyOf: (partner) => partner.uid,
  parse: parsePartner,

  load: (partition, keys) => ({
    name: 'partner-load',
    text: `select ${COLUMNS} from partner where partition = $1 and uid = any($2::uuid[])`,
    values: [partition, keys],
  }),

  scan: (partition, afterKey, limit) => ({
    name: 'partner-scan',
    text: `
      select ${COLUMNS} from partner
      where partition = $1 and uid > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
      order by uid limit $3`,
    values: [partition, afterKey, limit],
  }),

  remove: (partition, keys) => [
    {
      name: 'partner-remove',
      text: 'delete from partner where partition = $1 and uid = any($2::uuid[])',
      values: [partition, keys],
    },
  ],

  save: (partition, { inserted, updated }) =>
    [...inserted, ...updated].map((partner) => ({
      name: 'partner-save',
      text: `
        insert into partner (partition, ${COLUMNS})
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        on conflict (partition, uid) do update
        set settings = excluded.settings, webhook_secrets = excluded.webhook_secrets, version = excluded.version`,
      values: [
        partition,
        partner.uid,
        partner.homePartition,
        JSON.stringify(partner.holder),
        JSON.stringify(partner.settings),
        JSON.stringify(partner.webhookSecrets),
        partner.registeredAt,
        partner.version,
      ],
    })),
};

/** Whose a tax number is, by its keyed hash (hex): it is unique among partners. */
export interface PartnerTaxNumber {
  readonly lookup: string;
  readonly partnerUid: string;
}

export const partnerTaxNumberProjection: InlineProjection<PartnerTaxNumber> = {
  name: 'partnerTaxNumbers',
  keysOf: (event) => (PartnerRegistered.is(event) ? [event.data.taxNumberLookup] : []),
  evolve: (_row, event, lookup) => ({ lookup, partnerUid: (event as PartnerEvent).data.uid }),
  keyOf: (row) => row.lookup,
  parse: (row) => ({ lookup: (row.lookup as Buffer).toString('hex'), partnerUid: row.partner_uid as string }),

  load: (partition, keys) => ({
    name: 'partner-tax-number-load',
    text: `select lookup, partner_uid from partner_tax_number where partition = $1 and lookup = any($2::bytea[])`,
    values: [partition, keys.map((key) => Buffer.from(key, 'hex'))],
  }),

  scan: (partition, afterKey, limit) => ({
    name: 'partner-tax-number-scan',
    text: `
      select lookup, partner_uid from partner_tax_number
      where partition = $1 and lookup > $2 order by lookup limit $3`,
    values: [partition, Buffer.from(afterKey ?? '', 'hex'), limit],
  }),

  remove: (partition, keys) => [
    {
      name: 'partner-tax-number-remove',
      text: 'delete from partner_tax_number where partition = $1 and lookup = any($2::bytea[])',
      values: [partition, keys.map((key) => Buffer.from(key, 'hex'))],
    },
  ],

  save: (partition, { inserted }) =>
    inserted.map((row) => ({
      name: 'partner-tax-number-save',
      text: `insert into partner_tax_number (partition, lookup, partner_uid) values ($1, $2, $3)`,
      values: [partition, Buffer.from(row.lookup, 'hex'), row.partnerUid],
    })),
};

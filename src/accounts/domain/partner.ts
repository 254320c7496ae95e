import type { EventOf, RecordedEvent, Sealed } from '../../event-store/index.js';
import type { CautionaryRule } from './cautionary-rule.js';
import {
  CautionaryRuleAdded,
  CautionaryRuleRemoved,
  DEFAULT_SETTINGS,
  type PartnerHolder,
  PartnerRegistered,
  type PartnerSettings,
  PartnerSettingsChanged,
  WebhookSecretRotated,
} from './partner.events.js';
import { DefaultPayoutLimitsChanged } from './payout-limit.events.js';

/** One of a partner's webhook secrets: its id and until when it signs (`null`: until it is rotated). */
export interface WebhookSecretRef {
  readonly id: string;
  readonly validUntil: string | null;
}

export interface Partner {
  readonly uid: string;
  readonly homePartition: number;
  readonly holder: Sealed<PartnerHolder>;
  readonly settings: PartnerSettings;
  /** Newest first. */
  readonly webhookSecrets: readonly WebhookSecretRef[];
  readonly registeredAt: Date;
  readonly version: number;
  /** Oldest first. */
  readonly cautionaryRules: readonly CautionaryRule[];
}

const EVENTS = [
  CautionaryRuleAdded,
  CautionaryRuleRemoved,
  DefaultPayoutLimitsChanged,
  PartnerRegistered,
  PartnerSettingsChanged,
  WebhookSecretRotated,
] as const;
const TYPES: ReadonlySet<string> = new Set(EVENTS.map(({ type }) => type));

export type PartnerEvent = EventOf<(typeof EVENTS)[number]>;

export function isPartnerEvent(event: RecordedEvent): event is PartnerEvent {
  return TYPES.has(event.type);
}

export function evolvePartner(partner: Partner | undefined, event: PartnerEvent): Partner {
  const { version } = event;
  if (event.type === 'PartnerRegistered') {
    const { uid, homePartition, holder, webhookSecretId } = event.data;
    const webhookSecrets = [{ id: webhookSecretId, validUntil: null }];
    return {
      uid,
      homePartition,
      holder,
      settings: DEFAULT_SETTINGS,
      webhookSecrets,
      registeredAt: event.time,
      version,
      cautionaryRules: [],
    };
  }
  if (!partner) throw new TypeError(`${event.type} is about partner ${event.data.uid}, which was never registered`);
  switch (event.type) {
    case 'PartnerSettingsChanged':
      return { ...partner, settings: { ...partner.settings, ...event.data.settings }, version };
    case 'CautionaryRuleAdded':
      return { ...partner, cautionaryRules: [...partner.cautionaryRules, event.data.rule], version };
    case 'CautionaryRuleRemoved': {
      const cautionaryRules = partner.cautionaryRules.filter(({ id }) => id !== event.data.ruleId);
      return { ...partner, cautionaryRules, version };
    }
    case 'DefaultPayoutLimitsChanged': {
      const payoutLimits = { revision: version, terms: event.data.terms };
      return { ...partner, settings: { ...partner.settings, payoutLimits }, version };
    }
    case 'WebhookSecretRotated': {
      const { webhookSecretId, previousValidUntil } = event.data;
      const [previous, ...older] = partner.webhookSecrets;
      const kept = older.filter((secret) => secret.validUntil !== null && new Date(secret.validUntil) > event.time);
      const webhookSecrets = [
        { id: webhookSecretId, validUntil: null },
        { ...previous!, validUntil: previousValidUntil },
        ...kept,
      ];
      return { ...partner, webhookSecrets, version };
    }
  }
}

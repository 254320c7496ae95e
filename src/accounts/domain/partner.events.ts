import { defineEvent, type Personal } from '../../event-store/index.js';
import type { CautionaryRule } from './cautionary-rule.js';
import type { DefaultLimits } from './limit-terms.js';

/**
 * A partner's settings, changed by the operator. Amounts are centavos in decimal text; `null` is no limit or no date.
 */
export interface PartnerSettings {
  readonly transferMinimum: string;
  readonly transferMaximum: string | null;
  readonly cashInMinimum: string;
  readonly cashInMaximum: string | null;
  readonly cashOutMinimum: string;
  readonly cashOutMaximum: string | null;
  /** Limit of one cash-out between 20:00 and 06:00, America/Sao_Paulo. */
  readonly cashOutNightMaximum: string | null;
  readonly cashInCharge: string;
  readonly cashOutCharge: string;
  /** ISO date-time from which on accounts of class Legacy can no longer transfer. */
  readonly sunsetDate: string | null;
  readonly uniqueOrderIds: boolean;
  /**
   * A cash-out by key and account goes to the account where the rail cannot compare the two; the key is not checked.
   * Off, it is refused.
   */
  readonly accountDecides: boolean;
  /** Limits of payouts of the partner's accounts that have none of their own. They have an event of theirs. */
  readonly payoutLimits?: DefaultLimits;
}

/** Contract 8 and decisions 6 and 7. */
export const DEFAULT_SETTINGS: PartnerSettings = {
  transferMinimum: '100',
  transferMaximum: null,
  cashInMinimum: '1',
  cashInMaximum: null,
  cashOutMinimum: '1',
  cashOutMaximum: null,
  cashOutNightMaximum: null,
  cashInCharge: '0',
  cashOutCharge: '0',
  sunsetDate: null,
  uniqueOrderIds: false,
  accountDecides: false,
};

export interface PartnerHolder {
  readonly name: string;
  readonly taxNumber: string;
}

export const PartnerRegistered = defineEvent<{
  uid: string;
  /** The home partition of the partner's accounts. */
  homePartition: number;
  holder: Personal<PartnerHolder>;
  /** Keyed hash of the tax number, by which it is unique among partners; hex. */
  taxNumberLookup: string;
  webhookSecretId: string;
}>()('PartnerRegistered', 'The operator registered a partner. Its webhook secret is kept apart, encrypted.');

export const PartnerSettingsChanged = defineEvent<{ uid: string; settings: Partial<PartnerSettings> }>()(
  'PartnerSettingsChanged',
  'The operator changed limits, charges or dates; only what changed is named.',
);

export const CautionaryRuleAdded = defineEvent<{ uid: string; rule: CautionaryRule }>()(
  'CautionaryRuleAdded',
  "The operator added a rule: deposits of the partner's accounts that it applies to arrive as blocked.",
);

export const CautionaryRuleRemoved = defineEvent<{ uid: string; ruleId: string }>()(
  'CautionaryRuleRemoved',
  'The operator removed such a rule; holds that it placed stay.',
);

export const WebhookSecretRotated = defineEvent<{
  uid: string;
  webhookSecretId: string;
  /** ISO date-time until which the secret before this one signs too. */
  previousValidUntil: string;
}>()('WebhookSecretRotated', 'A new secret signs the webhooks; the old one signs too for a day.');

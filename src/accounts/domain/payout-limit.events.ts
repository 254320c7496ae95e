import { defineEvent, type RecordedEvent } from '../../event-store/index.js';
import type { LimitName, LimitTerms } from './limit-terms.js';
import type { LimitUse } from './payout-limits.js';

export const PayoutLimitsChanged = defineEvent<{
  uid: string;
  /**
   * All of them as they are from now on, and what is to be raised, from when. Centavos, or payouts, in decimal text.
   */
  terms: LimitTerms;
  /** Names of those that the operator set for this account: the partner's defaults leave them as they are. */
  set?: readonly LimitName[];
  /** Revision of the partner's defaults that the others follow; absent, there were none. */
  defaults?: number;
}>()(
  'PayoutLimitsChanged',
  "The limits of an account's payouts changed, by the operator or with the partner's defaults. With the first of these " +
    'the counting begins.',
);

export const DefaultPayoutLimitsChanged = defineEvent<{
  /** The partner. */
  uid: string;
  terms: LimitTerms;
}>()(
  'DefaultPayoutLimitsChanged',
  "The operator changed the limits that a partner's accounts have where they have none of their own. Each account " +
    'follows with its next payout.',
);

/** Events of payouts on an account that has limits say what counts against them. */
interface UsesLimits {
  readonly limitUse?: LimitUse;
}

/** What an event counts against the limits of its account. */
export function limitUseOf(event: RecordedEvent): LimitUse | undefined {
  return (event.data as UsesLimits).limitUse;
}

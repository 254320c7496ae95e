import { defineEvent, type RecordedEvent } from '../../event-store/index.js';
import type { LimitTerms, LimitUse } from './payout-limits.js';

export const PayoutLimitsChanged = defineEvent<{
  uid: string;
  /** All of them as they are from now on, and what is to be raised, from when. Centavos, or payouts, in decimal text. */
  terms: LimitTerms;
}>()(
  'PayoutLimitsChanged',
  "The operator changed the limits of an account's payouts. With the first of these the counting begins.",
);

/** Events of payouts on an account that has limits say what counts against them. */
interface UsesLimits {
  readonly limitUse?: LimitUse;
}

/** What an event counts against the limits of its account. */
export function limitUseOf(event: RecordedEvent): LimitUse | undefined {
  return (event.data as UsesLimits).limitUse;
}

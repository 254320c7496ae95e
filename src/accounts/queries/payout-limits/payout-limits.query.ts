import { Query } from '@nestjs/cqrs';
import type { DefaultLimitsView } from './default-limits-view.js';
import type { PayoutLimitsView } from './payout-limits-view.js';

/** Limits of an account's payouts; with a partner, only if the account is that partner's. */
export class GetPayoutLimits extends Query<PayoutLimitsView> {
  constructor(
    readonly uid: string,
    readonly partnerUid?: string,
  ) {
    super();
  }
}

/** Limits of a partner's accounts that have none of their own. */
export class GetDefaultLimits extends Query<DefaultLimitsView> {
  constructor(readonly partnerUid: string) {
    super();
  }
}

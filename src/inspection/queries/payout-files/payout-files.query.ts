import { Query } from '@nestjs/cqrs';
import type { Viewer } from '../../../auth/index.js';
import type { PayoutFileView } from '../../../payout-files/index.js';
import type { Page } from '../../../platform/http/index.js';

/** Files of payouts of all accounts of a partner, the newest first. */
export class InspectPayoutFiles extends Query<Page<PayoutFileView>> {
  constructor(
    readonly viewer: Viewer,
    readonly uid: string,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

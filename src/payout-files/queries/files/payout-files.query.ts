import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { PayoutFileView } from './payout-file-view.js';

/** A file of an account. */
export class GetPayoutFile extends Query<PayoutFileView> {
  constructor(
    readonly accountUid: string,
    readonly id: string,
  ) {
    super();
  }
}

/** Files of an account, or of all accounts of a partner, the newest first. */
export class ListPayoutFiles extends Query<Page<PayoutFileView>> {
  constructor(
    readonly of: 'account' | 'partner',
    readonly uid: string,
    /** Where its files are. */
    readonly partition: number,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { HoldView } from './hold-view.js';

/** Holds on an account, newest first; with a partner, only if the account is that partner's. */
export class ListHolds extends Query<Page<HoldView>> {
  constructor(
    readonly accountUid: string,
    readonly partnerUid: string | undefined,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { PartnerView } from './partner-view.js';

export class GetPartner extends Query<PartnerView> {
  constructor(readonly uid: string) {
    super();
  }
}

/** All partners, oldest first. */
export class ListPartners extends Query<Page<PartnerView>> {
  constructor(
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

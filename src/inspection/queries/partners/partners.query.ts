import { Query } from '@nestjs/cqrs';
import type { PartnerView } from '../../../accounts/index.js';
import type { Viewer } from '../../../auth/index.js';
import type { Page } from '../../../platform/http/index.js';

/** Partners that a viewer may see; for an auditor of one partner only that one. */
export class InspectPartners extends Query<Page<PartnerView>> {
  constructor(
    readonly viewer: Viewer,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

/** One partner. */
export class InspectPartner extends Query<PartnerView> {
  constructor(
    readonly viewer: Viewer,
    readonly uid: string,
  ) {
    super();
  }
}

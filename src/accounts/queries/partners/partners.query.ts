import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { PartnerSettings } from '../../domain/partner.events.js';

/** A partner as the operator sees it. Settings are in centavos. */
export interface PartnerView {
  readonly uid: string;
  readonly name: string;
  readonly taxNumber: string;
  readonly partition: number;
  readonly registeredAt: string;
  readonly settings: PartnerSettings;
}

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

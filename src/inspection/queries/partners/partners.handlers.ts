import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetPartner, ListPartners, type PartnerView } from '../../../accounts/index.js';
import { maySee } from '../../../auth/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import type { Page } from '../../../platform/http/index.js';
import { InspectPartner, InspectPartners } from './partners.query.js';

@QueryHandler(InspectPartners)
export class InspectPartnersHandler implements IQueryHandler<InspectPartners> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ viewer, limit, cursor }: InspectPartners): Promise<Page<PartnerView>> {
    if (viewer.partnerUid === null) return this.queries.execute(new ListPartners(limit, cursor));
    return { items: [await this.queries.execute(new GetPartner(viewer.partnerUid))], nextCursor: null };
  }
}

@QueryHandler(InspectPartner)
export class InspectPartnerHandler implements IQueryHandler<InspectPartner> {
  constructor(private readonly queries: QueryBus) {}

  /** @throws EntityNotFound */
  async execute({ viewer, uid }: InspectPartner): Promise<PartnerView> {
    if (!maySee(viewer, uid)) throw new EntityNotFound('PartnerEntity', 'uid', uid);
    return this.queries.execute(new GetPartner(uid));
  }
}

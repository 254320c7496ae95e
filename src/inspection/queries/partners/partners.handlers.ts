import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetPartner, ListPartners } from '../../../accounts/index.js';
import type { Viewer } from '../../../auth/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';

/** Partners for auditors; those of one partner find that one only. */
@Injectable()
export class InspectedPartners {
  constructor(private readonly queries: QueryBus) {}

  async list(viewer: Viewer, limit: number, cursor: string | undefined) {
    if (viewer.partnerUid !== null) return { items: [await this.get(viewer, viewer.partnerUid)], nextCursor: null };
    return this.queries.execute(new ListPartners(limit, cursor));
  }

  /** @throws EntityNotFound */
  async get(viewer: Viewer, uid: string) {
    if (viewer.partnerUid !== null && viewer.partnerUid !== uid) throw new EntityNotFound('PartnerEntity', 'uid', uid);
    return this.queries.execute(new GetPartner(uid));
  }
}

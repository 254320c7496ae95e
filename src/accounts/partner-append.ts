import { type Append, type NewEvent, partitionOf, REGISTRY_PARTITION } from '../event-store/index.js';
import { EntityNotFound } from '../platform/errors/index.js';
import type { Partner } from './domain/partner.js';
import { partnerProjection } from './partner.projection.js';

interface Request {
  readonly partnerUid: string;
  readonly actor: string;
  readonly requestId?: string;
}

/** A change of a partner. @throws EntityNotFound, also for an id that can be no partner's */
export function partnerAppend(
  { partnerUid, actor, requestId }: Request,
  decide: (partner: Partner, at: Date) => readonly NewEvent[],
): Append {
  const unknown = () => new EntityNotFound('PartnerEntity', 'uid', partnerUid);
  if (partitionOf(partnerUid) !== REGISTRY_PARTITION) throw unknown();
  return {
    partition: REGISTRY_PARTITION,
    reads: { partners: [partnerUid] },
    decide: (rows, at) => {
      const partner = rows.of(partnerProjection).get(partnerUid);
      if (!partner) throw unknown();
      return decide(partner, at);
    },
    metadata: { actor, requestId, correlation: partnerUid },
  };
}

import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { Registry } from '../../../accounts/index.js';
import { maySee } from '../../../auth/index.js';
import { ListPayoutFiles, type PayoutFileView } from '../../../payout-files/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import type { Page } from '../../../platform/http/index.js';
import { InspectPayoutFiles } from './payout-files.query.js';

@QueryHandler(InspectPayoutFiles)
export class InspectPayoutFilesHandler implements IQueryHandler<InspectPayoutFiles> {
  constructor(
    private readonly queries: QueryBus,
    private readonly registry: Registry,
  ) {}

  /** @throws EntityNotFound */
  async execute({ viewer, uid, limit, cursor }: InspectPayoutFiles): Promise<Page<PayoutFileView>> {
    if (!maySee(viewer, uid)) throw new EntityNotFound('PartnerEntity', 'uid', uid);
    const { homePartition } = await this.registry.partner(uid);
    return this.queries.execute(new ListPayoutFiles('partner', uid, homePartition, limit, cursor));
  }
}

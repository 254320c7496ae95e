import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Registry } from '../../registry.js';
import { type DryRunPreview, previewOn } from './dry-run-view.js';
import { GetPreview } from './dry-run.query.js';

@QueryHandler(GetPreview)
export class GetPreviewHandler implements IQueryHandler<GetPreview> {
  constructor(private readonly registry: Registry) {}

  async execute({ accountUid }: GetPreview): Promise<DryRunPreview> {
    const { partnerUid } = await this.registry.account(accountUid);
    const { settings } = await this.registry.partner(partnerUid);
    return previewOn(accountUid, partnerUid, settings.payoutLimits);
  }
}

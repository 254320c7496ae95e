import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, partitionOf, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { decideSettingsChange } from '../../domain/change-partner-settings.decider.js';
import type { PartnerSettings } from '../../domain/partner.events.js';
import { partnerProjection } from '../../partner.projection.js';
import { ChangePartnerSettings } from './change-partner-settings.command.js';

@CommandHandler(ChangePartnerSettings)
export class ChangePartnerSettingsHandler implements ICommandHandler<ChangePartnerSettings> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ partnerUid, changes, actor, requestId }: ChangePartnerSettings): Promise<PartnerSettings> {
    if (partitionOf(partnerUid) !== REGISTRY_PARTITION) throw new EntityNotFound('PartnerEntity', 'uid', partnerUid);
    let settings: PartnerSettings | undefined;
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: { partners: [partnerUid] },
      decide: (rows) => {
        const partner = rows.of(partnerProjection).get(partnerUid);
        const events = decideSettingsChange(partner, partnerUid, changes);
        settings = { ...partner!.settings, ...changes };
        return events;
      },
      metadata: { actor, requestId, correlation: partnerUid },
    });
    return settings!;
  }
}

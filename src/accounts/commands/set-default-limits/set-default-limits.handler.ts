import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, partitionOf, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { decideDefaultLimits } from '../../domain/set-payout-limits.decider.js';
import { partnerProjection } from '../../partner.projection.js';
import { SetDefaultLimits } from './set-default-limits.command.js';

@CommandHandler(SetDefaultLimits)
export class SetDefaultLimitsHandler implements ICommandHandler<SetDefaultLimits> {
  constructor(
    private readonly ledger: Ledger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ partnerUid, asked, actor, requestId }: SetDefaultLimits): Promise<void> {
    if (partitionOf(partnerUid) !== REGISTRY_PARTITION) throw new EntityNotFound('PartnerEntity', 'uid', partnerUid);
    const delayMs = this.config.limitRaiseDelaySeconds * 1000;
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: { partners: [partnerUid] },
      decide: (rows, at) =>
        decideDefaultLimits(rows.of(partnerProjection).get(partnerUid), partnerUid, asked, { at, delayMs }),
      metadata: { actor, requestId, correlation: partnerUid },
    });
  }
}

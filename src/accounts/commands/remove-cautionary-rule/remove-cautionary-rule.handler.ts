import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, partitionOf, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { removeCautionaryRule } from '../../domain/cautionary-rules.decider.js';
import { partnerProjection } from '../../partner.projection.js';
import { RemoveCautionaryRule } from './remove-cautionary-rule.command.js';

@CommandHandler(RemoveCautionaryRule)
export class RemoveCautionaryRuleHandler implements ICommandHandler<RemoveCautionaryRule> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ partnerUid, ruleId, actor, requestId }: RemoveCautionaryRule): Promise<void> {
    if (partitionOf(partnerUid) !== REGISTRY_PARTITION) throw new EntityNotFound('PartnerEntity', 'uid', partnerUid);
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: { partners: [partnerUid] },
      decide: (rows) => removeCautionaryRule(rows.of(partnerProjection).get(partnerUid), partnerUid, ruleId),
      metadata: { actor, requestId, correlation: partnerUid },
    });
  }
}

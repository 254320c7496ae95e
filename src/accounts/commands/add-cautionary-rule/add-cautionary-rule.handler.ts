import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, newId, partitionOf, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import type { CautionaryRule } from '../../domain/cautionary-rule.js';
import { addCautionaryRule } from '../../domain/cautionary-rules.decider.js';
import { partnerProjection } from '../../partner.projection.js';
import { AddCautionaryRule } from './add-cautionary-rule.command.js';

@CommandHandler(AddCautionaryRule)
export class AddCautionaryRuleHandler implements ICommandHandler<AddCautionaryRule> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ partnerUid, terms, actor, requestId }: AddCautionaryRule): Promise<CautionaryRule> {
    if (partitionOf(partnerUid) !== REGISTRY_PARTITION) throw new EntityNotFound('PartnerEntity', 'uid', partnerUid);
    const rule = { id: newId(REGISTRY_PARTITION), ...terms };
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: { partners: [partnerUid] },
      decide: (rows) => addCautionaryRule(rows.of(partnerProjection).get(partnerUid), partnerUid, rule),
      metadata: { actor, requestId, correlation: partnerUid },
    });
    return rule;
  }
}

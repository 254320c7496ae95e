import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  type Append,
  Ledger,
  newId,
  type NewEvent,
  partitionOf,
  REGISTRY_PARTITION,
} from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import type { CautionaryRule } from '../../domain/cautionary-rule.js';
import { addCautionaryRule, removeCautionaryRule } from '../../domain/cautionary-rules.decider.js';
import type { Partner } from '../../domain/partner.js';
import { partnerProjection } from '../../partner.projection.js';
import { AddCautionaryRule, RemoveCautionaryRule } from './change-cautionary-rules.command.js';

@CommandHandler(AddCautionaryRule)
export class AddCautionaryRuleHandler implements ICommandHandler<AddCautionaryRule> {
  constructor(private readonly ledger: Ledger) {}

  async execute(command: AddCautionaryRule): Promise<CautionaryRule> {
    const { partnerUid, terms } = command;
    const rule = { id: newId(REGISTRY_PARTITION), ...terms };
    await this.ledger.execute(changeOf(command, (partner) => addCautionaryRule(partner, partnerUid, rule)));
    return rule;
  }
}

@CommandHandler(RemoveCautionaryRule)
export class RemoveCautionaryRuleHandler implements ICommandHandler<RemoveCautionaryRule> {
  constructor(private readonly ledger: Ledger) {}

  async execute(command: RemoveCautionaryRule): Promise<void> {
    const { partnerUid, ruleId } = command;
    await this.ledger.execute(changeOf(command, (partner) => removeCautionaryRule(partner, partnerUid, ruleId)));
  }
}

function changeOf(
  { partnerUid, actor, requestId }: AddCautionaryRule | RemoveCautionaryRule,
  decide: (partner: Partner | undefined) => readonly NewEvent[],
): Append {
  if (partitionOf(partnerUid) !== REGISTRY_PARTITION) throw new EntityNotFound('PartnerEntity', 'uid', partnerUid);
  return {
    partition: REGISTRY_PARTITION,
    reads: { partners: [partnerUid] },
    decide: (rows) => decide(rows.of(partnerProjection).get(partnerUid)),
    metadata: { actor, requestId, correlation: partnerUid },
  };
}

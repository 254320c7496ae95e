import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, newId, REGISTRY_PARTITION } from '../../../event-store/index.js';
import type { CautionaryRule } from '../../domain/cautionary-rule.js';
import { addCautionaryRule } from '../../domain/cautionary-rules.decider.js';
import { partnerAppend } from '../../partner-append.js';
import { AddCautionaryRule } from './add-cautionary-rule.command.js';

@CommandHandler(AddCautionaryRule)
export class AddCautionaryRuleHandler implements ICommandHandler<AddCautionaryRule> {
  constructor(private readonly ledger: Ledger) {}

  async execute(command: AddCautionaryRule): Promise<CautionaryRule> {
    const rule = { id: newId(REGISTRY_PARTITION), ...command.terms };
    await this.ledger.execute(partnerAppend(command, (partner) => addCautionaryRule(partner, rule)));
    return rule;
  }
}

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { removeCautionaryRule } from '../../domain/cautionary-rules.decider.js';
import { partnerAppend } from '../../partner-append.js';
import { RemoveCautionaryRule } from './remove-cautionary-rule.command.js';

@CommandHandler(RemoveCautionaryRule)
export class RemoveCautionaryRuleHandler implements ICommandHandler<RemoveCautionaryRule> {
  constructor(private readonly ledger: Ledger) {}

  async execute(command: RemoveCautionaryRule): Promise<void> {
    await this.ledger.execute(partnerAppend(command, (partner) => removeCautionaryRule(partner, command.ruleId)));
  }
}

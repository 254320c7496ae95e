import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Registry } from '../../registry.js';
import { type CautionaryRuleView, showCautionaryRule } from './cautionary-rule-view.js';
import { ListCautionaryRules } from './cautionary-rules.query.js';

@QueryHandler(ListCautionaryRules)
export class ListCautionaryRulesHandler implements IQueryHandler<ListCautionaryRules> {
  constructor(private readonly registry: Registry) {}

  async execute({ partnerUid }: ListCautionaryRules): Promise<CautionaryRuleView[]> {
    return (await this.registry.partner(partnerUid)).cautionaryRules.map(showCautionaryRule);
  }
}

import { Query } from '@nestjs/cqrs';
import type { CautionaryRuleView } from './cautionary-rule-view.js';

/** A partner's rules, oldest first: of those that apply to a deposit, the first one decides. */
export class ListCautionaryRules extends Query<CautionaryRuleView[]> {
  constructor(readonly partnerUid: string) {
    super();
  }
}

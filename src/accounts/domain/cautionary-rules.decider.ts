import type { NewEvent } from '../../event-store/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import { type CautionaryRule, MAX_CAUTIONARY_RULES } from './cautionary-rule.js';
import { RuleWithoutCondition, TooManyRules } from './errors.js';
import type { Partner } from './partner.js';
import { CautionaryRuleAdded, CautionaryRuleRemoved } from './partner.events.js';

/** @throws InvalidInputError, OperationError */
export function addCautionaryRule(
  { uid, version, cautionaryRules }: Partner,
  rule: CautionaryRule,
): readonly NewEvent[] {
  const { amountAbove, payerUnknown, payerInstitution, timeOfDay } = rule;
  if (amountAbove === null && !payerUnknown && payerInstitution === null && timeOfDay === null) {
    throw new RuleWithoutCondition();
  }
  if (cautionaryRules.length >= MAX_CAUTIONARY_RULES) throw new TooManyRules(MAX_CAUTIONARY_RULES);
  return [CautionaryRuleAdded.create(`partner-${uid}`, version + 1, { uid, rule })];
}

/** Holds that it placed stay. @throws EntityNotFound */
export function removeCautionaryRule({ uid, version, cautionaryRules }: Partner, ruleId: string): readonly NewEvent[] {
  if (!cautionaryRules.some(({ id }) => id === ruleId)) {
    throw new EntityNotFound('CautionaryRuleEntity', 'id', ruleId);
  }
  return [CautionaryRuleRemoved.create(`partner-${uid}`, version + 1, { uid, ruleId })];
}

import { Command } from '@nestjs/cqrs';
import type { CautionaryRule } from '../../domain/cautionary-rule.js';

/** A partner's deposits are compared with one rule more. */
export class AddCautionaryRule extends Command<CautionaryRule> {
  constructor(
    readonly partnerUid: string,
    readonly terms: Omit<CautionaryRule, 'id'>,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}

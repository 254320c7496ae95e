import { Command } from '@nestjs/cqrs';

/** A partner's deposits are not compared with a rule any more. */
export class RemoveCautionaryRule extends Command<void> {
  constructor(
    readonly partnerUid: string,
    readonly ruleId: string,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { VerificationView } from '../../verifications/verifications.answer.js';
import { VerificationRuns } from '../../verifications/verification-runs.js';
import { StartVerification } from './start-verification.command.js';

@CommandHandler(StartVerification)
export class StartVerificationHandler implements ICommandHandler<StartVerification> {
  constructor(private readonly runs: VerificationRuns) {}

  /** @throws OperationError `VerificationUnderWay` while one runs at any instance */
  async execute({ actor }: StartVerification): Promise<VerificationView> {
    return this.runs.start(actor);
  }
}

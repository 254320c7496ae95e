import { Command } from '@nestjs/cqrs';
import type { VerificationView } from '../../verifications/verifications.answer.js';

/** Verifies the whole ledger, in a process of its own. @returns the run, in progress */
export class StartVerification extends Command<VerificationView> {
  constructor(readonly actor: string) {
    super();
  }
}

import { Query } from '@nestjs/cqrs';
import type { DryRunPreview } from './dry-run-view.js';

/** A preview of commands on an account, with the limits of its next payout. @throws EntityNotFound */
export class GetPreview extends Query<DryRunPreview> {
  constructor(readonly accountUid: string) {
    super();
  }
}

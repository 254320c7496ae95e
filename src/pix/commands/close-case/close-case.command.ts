import { Command } from '@nestjs/cqrs';
import type { ReconciliationCase } from '../../domain/reconciliation.js';

/** An operator says why the rail and the ledger differed. */
export class CloseCase extends Command<ReconciliationCase> {
  constructor(
    readonly id: string,
    readonly note: string,
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}

import { Command } from '@nestjs/cqrs';
import type { ReconciliationCase } from '../../domain/reconciliation.js';

/** An operator closes a reconciliation case with the cause of the difference. */
export class CloseReconciliationCase extends Command<ReconciliationCase> {
  constructor(
    readonly id: string,
    readonly note: string,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}

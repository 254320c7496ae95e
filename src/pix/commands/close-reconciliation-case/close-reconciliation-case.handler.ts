import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isUUID } from 'class-validator';
import { Ledger, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { closeCase } from '../../domain/reconciliation.decider.js';
import type { ReconciliationCase } from '../../domain/reconciliation.js';
import { reconciliationCaseProjection } from '../../reconciliation.projections.js';
import { CloseReconciliationCase } from './close-reconciliation-case.command.js';

@CommandHandler(CloseReconciliationCase)
export class CloseReconciliationCaseHandler implements ICommandHandler<CloseReconciliationCase> {
  constructor(private readonly ledger: Ledger) {}

  /** @throws EntityNotFound */
  async execute({ id, note, actor, requestId }: CloseReconciliationCase): Promise<ReconciliationCase> {
    if (!isUUID(id)) throw new EntityNotFound('ReconciliationCaseEntity', 'id', id);
    let found: ReconciliationCase | undefined;
    const { events } = await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: { reconciliationCases: [id] },
      decide: (rows) => {
        found = rows.of(reconciliationCaseProjection).get(id);
        if (!found) throw new EntityNotFound('ReconciliationCaseEntity', 'id', id);
        return closeCase(found, note);
      },
      metadata: { actor, requestId },
    });
    return events.reduce((one, event) => reconciliationCaseProjection.evolve(one, event, id), found!);
  }
}

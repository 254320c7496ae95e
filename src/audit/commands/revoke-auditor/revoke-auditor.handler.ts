import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { partitionOf, RareCommands, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { auditorProjection } from '../../auditors/auditor.projection.js';
import { decideRevocation } from '../../domain/revoke-auditor.decider.js';
import { RevokeAuditor } from './revoke-auditor.command.js';

@CommandHandler(RevokeAuditor)
export class RevokeAuditorHandler implements ICommandHandler<RevokeAuditor> {
  constructor(private readonly commands: RareCommands) {}

  /** @throws EntityNotFound */
  async execute({ id, actor, requestId }: RevokeAuditor): Promise<void> {
    if (partitionOf(id) !== REGISTRY_PARTITION) throw new EntityNotFound('AuditorEntity', 'id', id);
    const row = { projection: auditorProjection, key: id, stream: `auditor-${id}` };
    await this.commands.execute(row, {
      partition: REGISTRY_PARTITION,
      reads: { auditors: [id] },
      decide: (rows) => decideRevocation(rows.of(auditorProjection).get(id), id),
      metadata: { actor, requestId },
    });
  }
}

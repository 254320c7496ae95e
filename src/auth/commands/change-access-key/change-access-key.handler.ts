import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { partitionOf, RareCommands, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { accessKeyProjection } from '../../access-key.projection.js';
import { decideAccessKeyChange } from '../../domain/change-access-key.decider.js';
import { ChangeAccessKey } from './change-access-key.command.js';

@CommandHandler(ChangeAccessKey)
export class ChangeAccessKeyHandler implements ICommandHandler<ChangeAccessKey> {
  constructor(private readonly commands: RareCommands) {}

  async execute({ accessKey, change, actor, requestId }: ChangeAccessKey): Promise<void> {
    if (partitionOf(accessKey) !== REGISTRY_PARTITION)
      throw new EntityNotFound('AccessKeyEntity', 'accessKey', accessKey);
    const row = { projection: accessKeyProjection, key: accessKey, stream: `access-key-${accessKey}` };
    await this.commands.execute(row, {
      partition: REGISTRY_PARTITION,
      reads: { accessKeys: [accessKey] },
      decide: (rows) => decideAccessKeyChange(rows.of(accessKeyProjection).get(accessKey), accessKey, change),
      metadata: { actor, requestId },
    });
  }
}

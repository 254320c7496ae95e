import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { accessKeyProjection } from '../../access-key.projection.js';
import { AccessKeys } from '../../access-keys.js';
import { AccessKeySecretBound } from '../../domain/access-key.events.js';
import { keyActor } from '../../principal.js';
import { BindSecret } from './bind-secret.command.js';

@CommandHandler(BindSecret)
export class BindSecretHandler implements ICommandHandler<BindSecret> {
  constructor(
    private readonly ledger: Ledger,
    private readonly keys: AccessKeys,
  ) {}

  async execute({ accessKey: id, secret }: BindSecret): Promise<void> {
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: { accessKeys: [id] },
      decide: (rows) => {
        const key = rows.of(accessKeyProjection).get(id);
        if (!key || key.bound) return [];
        return [AccessKeySecretBound.create(`access-key-${id}`, key.version + 1, { id })];
      },
      metadata: { actor: keyActor({ accessKey: id }) },
      secrets: [{ id, value: this.keys.storedSecret(id, secret) }],
    });
  }
}

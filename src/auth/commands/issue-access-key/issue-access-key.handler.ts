import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, newId, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { AccessKeys } from '../../access-keys.js';
import { AccessKeyIssued, PERMISSIONS } from '../../domain/access-key.events.js';
import { IssueAccessKey, type IssuedAccessKey } from './issue-access-key.command.js';

@CommandHandler(IssueAccessKey)
export class IssueAccessKeyHandler implements ICommandHandler<IssueAccessKey> {
  constructor(
    private readonly ledger: Ledger,
    private readonly keys: AccessKeys,
  ) {}

  async execute({ account, details, actor, requestId }: IssueAccessKey): Promise<IssuedAccessKey> {
    const id = newId(REGISTRY_PARTITION);
    const { secret, stored } = this.keys.newSecret(id);
    const issued = AccessKeyIssued.create(`access-key-${id}`, 1, {
      id,
      accountUid: account.uid,
      partnerUid: account.partnerUid,
      name: details.name ?? null,
      permissions: details.permissions ?? PERMISSIONS,
      expiresAt: details.expiresAt?.toISOString() ?? null,
      allowedIps: details.allowedIps ?? null,
      bound: true,
    });
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: {},
      creates: { accessKeys: [id] },
      decide: () => [issued],
      metadata: { actor, requestId, correlation: account.partnerUid },
      secrets: [{ id, value: stored }],
    });
    return { accessKey: id, secret };
  }
}

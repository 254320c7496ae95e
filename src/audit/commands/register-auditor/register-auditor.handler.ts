import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Registry } from '../../../accounts/index.js';
import { Ledger, newId, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { Auditors } from '../../auditors/auditors.js';
import { AuditorRegistered } from '../../domain/auditor.events.js';
import { RegisterAuditor, type RegisteredAuditor } from './register-auditor.command.js';

@CommandHandler(RegisterAuditor)
export class RegisterAuditorHandler implements ICommandHandler<RegisterAuditor> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    private readonly auditors: Auditors,
  ) {}

  /** @throws EntityNotFound for a partner that does not exist */
  async execute({ name, partnerUid, actor, requestId }: RegisterAuditor): Promise<RegisteredAuditor> {
    if (partnerUid !== null) await this.registry.partner(partnerUid);
    const id = newId(REGISTRY_PARTITION);
    const { token, stored } = this.auditors.newCredential(id);
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: {},
      creates: { auditors: [id] },
      decide: () => [AuditorRegistered.create(`auditor-${id}`, 1, { id, name, partnerUid, bound: true })],
      metadata: { actor, requestId },
      secrets: [{ id, value: stored }],
    });
    return { id, name, partnerUid, token };
  }
}

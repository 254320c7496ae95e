import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { auditorProjection } from '../../auditors/auditor.projection.js';
import { Auditors } from '../../auditors/auditors.js';
import { auditorActor } from '../../domain/auditor.js';
import { decideBinding } from '../../domain/bind-auditor-credential.decider.js';
import { BindAuditorCredential } from './bind-auditor-credential.command.js';

@CommandHandler(BindAuditorCredential)
export class BindAuditorCredentialHandler implements ICommandHandler<BindAuditorCredential> {
  constructor(
    private readonly ledger: Ledger,
    private readonly auditors: Auditors,
  ) {}

  async execute({ id, secret }: BindAuditorCredential): Promise<void> {
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: { auditors: [id] },
      decide: (rows) => decideBinding(rows.of(auditorProjection).get(id), id),
      metadata: { actor: auditorActor(id) },
      secrets: [{ id, value: this.auditors.storedSecret(id, secret) }],
    });
  }
}

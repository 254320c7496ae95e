import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Registry } from '../../../accounts/index.js';
import { keyActor } from '../../../auth/index.js';
import { Ledger, personal, scoped } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { Cases } from '../../cases.js';
import { defendInfraction } from '../../domain/infraction.decider.js';
import { DefendInfraction } from './defend-infraction.command.js';

@CommandHandler(DefendInfraction)
export class DefendInfractionHandler implements ICommandHandler<DefendInfraction> {
  constructor(
    private readonly ledger: Ledger,
    private readonly cases: Cases,
    private readonly registry: Registry,
  ) {}

  async execute({ caller, id, defence, requestId, idempotency }: DefendInfraction): Promise<{ replayed: boolean }> {
    const { accountUid, partnerUid } = caller;
    const known = await this.cases.logged(id);
    if (known?.infraction.accountUid !== accountUid) throw new EntityNotFound('InfractionEntity', 'id', id);
    const { owner } = await this.registry.facts(accountUid);
    const sealed = personal(owner, defence);
    const { replayed } = await this.cases.append(
      known,
      {
        actor: keyActor(caller),
        requestId,
        subjects: [owner],
        idempotency: scoped(accountUid, idempotency),
        decide: ({ infraction }, at) => defendInfraction(infraction, partnerUid, sealed, at),
      },
      (append) => this.ledger.execute(append),
    );
    return { replayed };
  }
}

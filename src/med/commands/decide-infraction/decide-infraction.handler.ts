import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Registry } from '../../../accounts/index.js';
import { Ledger, personal, scoped } from '../../../event-store/index.js';
import { INFRACTION_RAIL, type InfractionRail } from '../../../pix/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { Cases, isOf } from '../../cases.js';
import { DecidedByRail } from '../../domain/errors.js';
import { decideInfraction } from '../../domain/infraction.decider.js';
import { DecideInfraction } from './decide-infraction.command.js';

@CommandHandler(DecideInfraction)
export class DecideInfractionHandler implements ICommandHandler<DecideInfraction> {
  constructor(
    private readonly ledger: Ledger,
    private readonly cases: Cases,
    private readonly registry: Registry,
    @Inject(INFRACTION_RAIL) private readonly rail: InfractionRail,
  ) {}

  async execute(command: DecideInfraction): Promise<{ replayed: boolean }> {
    const { id, decision, actor, requestId, idempotency, preview } = command;
    const known = await this.cases.logged(id);
    if (!known) throw new EntityNotFound('InfractionEntity', 'id', id);
    const isOurs = this.rail.capabilities.decidedBy === 'Institution' && isOf(this.rail, known);
    if (!isOurs) throw new DecidedByRail();
    const { accountUid } = known.infraction;
    const { owner } = await this.registry.facts(accountUid);
    const { result, amount } = decision;
    const note = decision.note ? personal(owner, decision.note) : undefined;
    const { replayed } = await this.cases.append(
      known,
      {
        actor,
        requestId,
        subjects: note && [owner],
        idempotency: scoped(accountUid, idempotency),
        decide: (state, at) => decideInfraction(state, { result, amount, note }, at),
      },
      (append) => this.ledger.execute(append, preview),
    );
    return { replayed };
  }
}

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { INFRACTION_RAIL, type InfractionRail, railActor } from '../../../pix/index.js';
import { followRecovery } from '../../domain/recovery.decider.js';
import { recoveryProjection } from '../../recovery.projection.js';
import { ReceiveRecovery } from './receive-recovery.command.js';

/** Safe to repeat: a recovery that has ended stays as it is. */
@CommandHandler(ReceiveRecovery)
export class ReceiveRecoveryHandler implements ICommandHandler<ReceiveRecovery> {
  constructor(
    private readonly ledger: Ledger,
    @Inject(INFRACTION_RAIL) private readonly rail: InfractionRail,
  ) {}

  async execute({ known, outcome }: ReceiveRecovery): Promise<void> {
    const { recovery, partition, partnerUid } = known;
    if (followRecovery(recovery, partnerUid, outcome).length === 0) return;
    await this.ledger.execute({
      partition,
      reads: { recoveries: [recovery.id] },
      decide: (rows) => followRecovery(rows.of(recoveryProjection).get(recovery.id)!, partnerUid, outcome),
      metadata: { actor: railActor(this.rail), correlation: recovery.id },
    });
  }
}

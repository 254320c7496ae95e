import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { InfractionNotifications, RecoveryOutcome, ReportedInfraction } from '../pix/index.js';
import { ReceiveInfraction } from './commands/receive-infraction/receive-infraction.command.js';
import { ReceiveRecovery } from './commands/receive-recovery/receive-recovery.command.js';
import { Recoveries } from './recoveries.js';

/** Receives what the rail tells of the MED: it issues a command for each. */
@Injectable()
export class MedReceiver implements InfractionNotifications {
  constructor(
    private readonly commands: CommandBus,
    private readonly recoveries: Recoveries,
  ) {}

  async infractionChanged(infraction: ReportedInfraction): Promise<void> {
    await this.receive(infraction);
  }

  /** As `infractionChanged`. @returns whether the deposit of the report is recorded */
  receive(infraction: ReportedInfraction): Promise<boolean> {
    return this.commands.execute(new ReceiveInfraction(infraction));
  }

  async recoveryChanged(recoveryId: string, outcome: RecoveryOutcome): Promise<void> {
    const known = await this.recoveries.logged(recoveryId);
    if (known) await this.commands.execute(new ReceiveRecovery(known, outcome));
  }
}

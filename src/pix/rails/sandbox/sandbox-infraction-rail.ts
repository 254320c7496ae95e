import { Injectable } from '@nestjs/common';
import type {
  InfractionDecision,
  InfractionRail,
  RecoveryInstruction,
  RecoveryOutcome,
  ReportedInfraction,
} from '../infraction-rail.js';
import type { RailPage } from '../pix-rail.js';
import { Infractions } from './infractions.js';
import { reached } from './reached.js';

/** The sandbox's side of the MED: everything that the port can do. */
@Injectable()
export class SandboxInfractionRail implements InfractionRail {
  readonly name = 'sandbox';
  readonly capabilities = { receives: true, decidedBy: 'Institution', recovers: true } as const;

  constructor(private readonly infractions: Infractions) {}

  infractionsBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<ReportedInfraction>> {
    return reached(() => this.infractions.changedBetween(from, to, cursor));
  }

  async sendDefence(): Promise<void> {
    // The institution decides: nobody else reads a defence.
  }

  close(railId: string, decision: InfractionDecision): Promise<void> {
    return reached(() => this.infractions.close(railId, decision));
  }

  requestRecovery(instruction: RecoveryInstruction): Promise<RecoveryOutcome> {
    return reached(() => this.infractions.request(instruction));
  }

  queryRecovery(recoveryId: string): Promise<RecoveryOutcome> {
    return reached(async () => (await this.infractions.recovery(recoveryId)) ?? { status: 'Unknown' });
  }
}

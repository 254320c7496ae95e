import type { InfractionRail, RecoveryOutcome, ReportedInfraction } from './infraction-rail.js';
import type { RailPage } from './pix-rail.js';
import { RailUnavailable } from './rail-errors.js';

/** Of rails that have nothing of the MED: the API Pix of the standard has no routes for it. */
export class NoInfractionRail implements InfractionRail {
  readonly capabilities = { receives: false, decidedBy: 'Institution', recovers: false } as const;

  constructor(readonly name: string) {}

  async infractionsBetween(): Promise<RailPage<ReportedInfraction>> {
    return { items: [], nextCursor: null };
  }

  /** Cases of another rail wait until that one is configured again. */
  async sendDefence(): Promise<void> {
    throw new RailUnavailable('the rail has no reports of infractions');
  }

  /** As `sendDefence`. */
  async close(): Promise<void> {
    throw new RailUnavailable('the rail has no reports of infractions');
  }

  async requestRecovery(): Promise<RecoveryOutcome> {
    throw new RailUnavailable('the rail opens no recoveries');
  }

  async queryRecovery(): Promise<RecoveryOutcome> {
    throw new RailUnavailable('the rail opens no recoveries');
  }
}

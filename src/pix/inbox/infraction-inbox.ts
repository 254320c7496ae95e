import { Injectable } from '@nestjs/common';
import { ServiceUnavailable } from '../../platform/errors/index.js';
import type { InfractionNotifications, RecoveryOutcome, ReportedInfraction } from '../rails/infraction-rail.js';

/** Hands what the rail tells of the MED to the module that keeps the cases: it stands above this one. */
@Injectable()
export class InfractionInbox implements InfractionNotifications {
  #receiver: InfractionNotifications | undefined;

  receivedBy(receiver: InfractionNotifications): void {
    this.#receiver = receiver;
  }

  infractionChanged(infraction: ReportedInfraction): Promise<void> {
    return this.#known().infractionChanged(infraction);
  }

  recoveryChanged(recoveryId: string, outcome: RecoveryOutcome): Promise<void> {
    return this.#known().recoveryChanged(recoveryId, outcome);
  }

  #known(): InfractionNotifications {
    if (!this.#receiver) throw new ServiceUnavailable('Nobody receives reports yet.');
    return this.#receiver;
  }
}

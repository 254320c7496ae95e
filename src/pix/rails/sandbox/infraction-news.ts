import { Injectable, Logger } from '@nestjs/common';
import { InfractionInbox } from '../../inbox/infraction-inbox.js';
import type { RecoveryOutcome, ReportedInfraction } from '../infraction-rail.js';
import { SandboxBehaviour } from './behaviour.js';
import { Infractions } from './infractions.js';
import { SandboxNotifier } from './notifier.js';

/** Tells the service of reports and recoveries, unless its notifications are dropped: then its sweep finds them. */
@Injectable()
export class InfractionNews {
  readonly #logger = new Logger('Sandbox rail');

  constructor(
    private readonly infractions: Infractions,
    private readonly notifier: SandboxNotifier,
    private readonly inbox: InfractionInbox,
    private readonly behaviour: SandboxBehaviour,
  ) {}

  async ofInfraction(reported: ReportedInfraction): Promise<void> {
    await this.#tell(() => this.inbox.infractionChanged(reported));
  }

  /**
   * Where the payee's institution agrees, its return is a movement of its own. @returns `undefined`: none is pending
   */
  async endRecovery(
    id: string,
    ending: { readonly accepted?: bigint; readonly code?: string },
  ): Promise<RecoveryOutcome | undefined> {
    const ended = await this.infractions.endRecovery(id, ending);
    if (!ended) return undefined;
    const { outcome, returned } = ended;
    await this.#tell(() => this.inbox.recoveryChanged(id, outcome));
    if (returned) await this.notifier.notify('RefundIn', returned.returnId, (inbox) => inbox.moneyReturned(returned));
    return outcome;
  }

  /** A notification that fails is lost, as at a real rail. */
  async #tell(notify: () => Promise<void>): Promise<void> {
    const { notifications, copies } = await this.behaviour.get();
    if (notifications === 'drop') return;
    const told = await Promise.allSettled(Array.from({ length: copies }, notify));
    for (const one of told) {
      if (one.status === 'rejected') this.#logger.warn({ err: one.reason as unknown }, 'a notification was not taken');
    }
  }
}

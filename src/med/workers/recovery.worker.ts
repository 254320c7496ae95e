import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SubjectVault, type WorkItem, type WorkResult } from '../../event-store/index.js';
import { INFRACTION_RAIL, type InfractionRail, type RecoveryOutcome } from '../../pix/index.js';
import { ReceiveRecovery } from '../commands/receive-recovery/receive-recovery.command.js';
import { isUnderWay } from '../domain/recovery.js';
import { type LocatedRecovery, Recoveries } from '../recoveries.js';

/** The payee's institution has days for its analysis: it is asked again every ten minutes, and notifies besides. */
const PAUSE_MS = 10 * 60_000;

/** Opens a recovery under the identifier that was stored before, and asks the rail until it has ended. */
@Injectable()
export class RecoveryWorker {
  constructor(
    private readonly commands: CommandBus,
    private readonly recoveries: Recoveries,
    private readonly vault: SubjectVault,
    @Inject(INFRACTION_RAIL) private readonly rail: InfractionRail,
  ) {}

  async perform({ subject, attempts }: WorkItem): Promise<WorkResult> {
    const known = await this.recoveries.logged(subject);
    if (!known || !isUnderWay(known.recovery)) return 'done';
    const asked: RecoveryOutcome = attempts === 1 ? { status: 'Unknown' } : await this.rail.queryRecovery(subject);
    const outcome = asked.status === 'Unknown' ? await this.#open(known) : asked;
    await this.commands.execute(new ReceiveRecovery(known, outcome));
    // The command decides on the row, which somebody may have changed: whether it has ended, its events say.
    const after = await this.recoveries.logged(subject);
    return after && isUnderWay(after.recovery) ? { retryAt: new Date(Date.now() + PAUSE_MS) } : 'done';
  }

  async #open({ recovery, partition }: LocatedRecovery): Promise<RecoveryOutcome> {
    const { id: recoveryId, endToEndId, amount, reason } = recovery;
    const details = (await this.vault.open(partition, recovery.details)) ?? '';
    return this.rail.requestRecovery({ recoveryId, endToEndId, amount, reason, details });
  }
}

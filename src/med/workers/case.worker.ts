import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusals, type WorkItem, type WorkResult } from '../../event-store/index.js';
import { Cases, type LocatedCase } from '../cases.js';
import { AdvanceInfraction } from '../commands/advance-infraction/advance-infraction.command.js';
import { after, UNTOLD_DAYS } from '../domain/deadlines.js';
import { ReturnsOfRail } from '../returns-of-rail.js';
import type { Wake } from './med-work.js';

/** A deadline that has come is not looked at more often than this. */
const PAUSE_MS = 60_000;
/** How often a rail is asked that does not tell what it gave back of a case whose ninety days are over. */
const UNTOLD_PAUSE_MS = 60 * 60_000;

/** Moves cases on: when a deadline comes, and when something happened to one. */
@Injectable()
export class CaseWorker {
  readonly #logger = new Logger(CaseWorker.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly cases: Cases,
    private readonly returns: ReturnsOfRail,
  ) {}

  /** The work of a case's deadlines, until it has ended. */
  async perform({ subject, dueAt, refusals }: WorkItem): Promise<WorkResult> {
    const known = await this.cases.logged(subject);
    if (!known) return 'done';
    const askedAt = new Date();
    const { untold } = await this.returns.record(known, askedAt);
    if (untold) {
      // A service that stood for a day did not ask meanwhile: the series begins anew.
      const series = refusals && askedAt < after(dueAt, 1) ? refusals : new Refusals(0);
      const isAskedAgain = askedAt < askedUntil(known, new Date(askedAt.getTime() - series.lastMs));
      this.#tell(known, untold, isAskedAgain);
      if (isAskedAgain) return { retryAt: new Date(Date.now() + UNTOLD_PAUSE_MS), refusals: series };
    }
    const deadline = await this.commands.execute(new AdvanceInfraction(known, askedAt));
    return deadline ? { retryAt: new Date(Math.max(deadline.getTime(), Date.now() + PAUSE_MS)) } : 'done';
  }

  /** What happened to a hold or a deposit may be of no case. */
  async wake({ partition, subject, payload }: WorkItem): Promise<WorkResult> {
    const { of } = payload as Wake;
    if (of === 'Deposit') return this.#wakeAll(await this.cases.runningOf(partition, subject));
    const known = await (of === 'Hold' ? this.cases.ofHold(partition, subject) : this.cases.logged(subject));
    if (!known) return 'done';
    const again = await this.#wake(known);
    return of === 'Agreement' && again ? { retryAt: again } : 'done';
  }

  async #wakeAll(cases: readonly LocatedCase[]): Promise<WorkResult> {
    for (const known of cases) await this.#wake(known);
    return 'done';
  }

  /** @returns when the rail is to be asked again. Once the ninety days are over, the case's own work waits for it. */
  async #wake(known: LocatedCase): Promise<Date | undefined> {
    const askedAt = new Date();
    const { again, untold } = await this.returns.record(known, askedAt);
    if (!untold) await this.commands.execute(new AdvanceInfraction(known, askedAt));
    return again;
  }

  #tell({ infraction: { id, endToEndId } }: LocatedCase, err: Error, isAskedAgain: boolean): void {
    const facts = { err, case: id, endToEndId };
    const told = 'the rail does not tell what it gave back of a case whose ninety days are over; ';
    this.#logger.error(facts, told + (isAskedAgain ? 'it is asked again in an hour' : 'the case ends without'));
  }
}

/**
 * Only a rail that was asked all the time without an answer is given up: not one that fails after this service stood.
 */
function askedUntil({ infraction: { returnUntil } }: LocatedCase, since: Date): Date {
  return after(since < returnUntil ? returnUntil : since, UNTOLD_DAYS);
}

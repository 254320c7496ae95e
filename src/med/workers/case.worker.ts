import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { Cases, type LocatedCase } from '../cases.js';
import { AdvanceInfraction } from '../commands/advance-infraction/advance-infraction.command.js';
import { ReturnsOfRail } from '../returns-of-rail.js';
import type { Wake } from './med-work.js';

/** A deadline that has come is not looked at more often than this. */
const PAUSE_MS = 60_000;

/** Moves cases on: when a deadline comes, and when something happened to one. */
@Injectable()
export class CaseWorker {
  constructor(
    private readonly commands: CommandBus,
    private readonly cases: Cases,
    private readonly returns: ReturnsOfRail,
  ) {}

  /** The work of a case's deadlines, until it has ended. */
  async perform({ subject }: WorkItem): Promise<WorkResult> {
    const known = await this.cases.find(subject);
    if (!known) return 'done';
    const { deadline } = await this.#advance(known);
    return deadline ? { retryAt: new Date(Math.max(deadline.getTime(), Date.now() + PAUSE_MS)) } : 'done';
  }

  /** What happened to a hold or a deposit may be of no case. */
  async wake({ partition, subject, payload }: WorkItem): Promise<WorkResult> {
    const { of } = payload as Wake;
    if (of === 'Deposit') return this.#wakeAll(await this.cases.runningOf(partition, subject));
    const known = await (of === 'Hold' ? this.cases.ofHold(partition, subject) : this.cases.find(subject));
    if (!known) return 'done';
    const { asksAt } = await this.#advance(known);
    return of === 'Agreement' && asksAt ? { retryAt: asksAt } : 'done';
  }

  async #wakeAll(cases: readonly LocatedCase[]): Promise<WorkResult> {
    for (const known of cases) await this.#advance(known);
    return 'done';
  }

  /** @returns when the rail is to be asked again, and when time alone does something next */
  async #advance(known: LocatedCase): Promise<{ asksAt: Date | undefined; deadline: Date | undefined }> {
    const askedAt = new Date();
    const asksAt = await this.returns.record(known, askedAt);
    return { asksAt, deadline: await this.commands.execute(new AdvanceInfraction(known, askedAt)) };
  }
}

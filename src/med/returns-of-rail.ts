import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { INFRACTION_RAIL, type InfractionRail } from '../pix/index.js';
import type { LocatedCase } from './cases.js';
import { isUndecided } from './domain/infraction.js';
import { RecordOwnReturn } from './commands/record-own-return/record-own-return.command.js';

/** How often a rail that gives money back by itself is asked what it gave. */
const PAUSE_MS = 60 * 60_000;

/** Records what a rail that decides has given back by itself. */
@Injectable()
export class ReturnsOfRail {
  constructor(
    private readonly commands: CommandBus,
    @Inject(INFRACTION_RAIL) private readonly rail: InfractionRail,
  ) {}

  /**
   * Before a case that nobody decided about ends, the rail is asked too: it may have agreed and told nobody.
   * @returns when the rail is to be asked again; `undefined` where it gives nothing back itself
   */
  async record(known: LocatedCase, askedAt: Date): Promise<Date | undefined> {
    const { infraction } = known;
    if (!this.rail.ownReturns) return undefined;
    if (isUndecided(infraction) && askedAt >= infraction.returnUntil) await this.#record(known, true);
    if (infraction.status !== 'Agreed') return undefined;
    await this.#record(known, false);
    return new Date(Date.now() + PAUSE_MS);
  }

  /** Before a report is taken back: what the rail gave back of it is not released. */
  recordLast(known: LocatedCase): Promise<void> {
    return this.#record(known, true);
  }

  async #record(known: LocatedCase, isLast: boolean): Promise<void> {
    for (const made of (await this.rail.ownReturns?.(known.infraction.endToEndId)) ?? []) {
      await this.commands.execute(new RecordOwnReturn(known, made, isLast));
    }
  }
}

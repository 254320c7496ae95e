import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { INFRACTION_RAIL, type InfractionRail, RailUnavailable } from '../pix/index.js';
import type { LocatedCase } from './cases.js';
import { isUndecided } from './domain/infraction.js';
import { RecordOwnReturn } from './commands/record-own-return/record-own-return.command.js';

/** How often a rail that gives money back by itself is asked what it gave. */
const PAUSE_MS = 60 * 60_000;

/** What asking the rail came to. */
export interface Asked {
  /** When it is to be asked again; absent where it gives nothing back itself. */
  readonly again?: Date;
  /** It did not tell, though the ninety days of the case are over. */
  readonly untold?: RailUnavailable;
}

/** Records what a rail that decides has given back by itself. */
@Injectable()
export class ReturnsOfRail {
  constructor(
    private readonly commands: CommandBus,
    @Inject(INFRACTION_RAIL) private readonly rail: InfractionRail,
  ) {}

  /** @throws RailUnavailable before the ninety days are over */
  async record(known: LocatedCase, askedAt: Date): Promise<Asked> {
    try {
      return await this.#ask(known, askedAt);
    } catch (error) {
      if (!(error instanceof RailUnavailable) || askedAt < known.infraction.returnUntil) throw error;
      return { untold: error };
    }
  }

  /** Before a report is taken back: what the rail gave back of it is not released. */
  recordLast(known: LocatedCase): Promise<void> {
    return this.#record(known, true);
  }

  /** Before a case that nobody decided about ends, the rail is asked too: it may have agreed and told nobody. */
  async #ask(known: LocatedCase, askedAt: Date): Promise<Asked> {
    const { infraction } = known;
    if (!this.rail.ownReturns) return {};
    if (isUndecided(infraction) && askedAt >= infraction.returnUntil) await this.#record(known, true);
    if (infraction.status !== 'Agreed') return {};
    await this.#record(known, false);
    return { again: new Date(Date.now() + PAUSE_MS) };
  }

  async #record(known: LocatedCase, isLast: boolean): Promise<void> {
    for (const made of (await this.rail.ownReturns?.(known.infraction.endToEndId)) ?? []) {
      await this.commands.execute(new RecordOwnReturn(known, made, isLast));
    }
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { INFRACTION_RAIL, type InfractionRail, PixTransactions, RailUnavailable } from '../pix/index.js';
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
    private readonly transactions: PixTransactions,
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

  /** Before a report is taken back: what the rail gave back of it is not released. @throws RailUnavailable */
  recordLast(known: LocatedCase): Promise<void> {
    return this.#record(known, { isLast: true, isEnd: true });
  }

  /** Before a case that nobody decided about ends, the rail is asked too: it may have agreed and told nobody. */
  async #ask(known: LocatedCase, askedAt: Date): Promise<Asked> {
    const { infraction } = known;
    if (!this.rail.ownReturns) return {};
    const isEnd = askedAt >= infraction.returnUntil;
    if (isUndecided(infraction) && isEnd) await this.#record(known, { isLast: true, isEnd });
    if (infraction.status !== 'Agreed') return {};
    await this.#record(known, { isLast: false, isEnd });
    return { again: new Date(Date.now() + PAUSE_MS) };
  }

  /**
   * A return that the rail has begun may leave after the case has ended: its money is not released before. Those of
   * ours that the rail lists with its own are waited for where they are decided on.
   */
  async #record(known: LocatedCase, { isLast, isEnd }: { isLast: boolean; isEnd: boolean }): Promise<void> {
    const made = (await this.rail.ownReturns?.(known.infraction.endToEndId)) ?? [];
    for (const one of made) {
      if (!one.isUnderWay) await this.commands.execute(new RecordOwnReturn(known, one, isLast));
    }
    for (const { returnId, isUnderWay } of made) {
      if (!isEnd || !isUnderWay || (await this.transactions.byOwnIdentifier(returnId))) continue;
      throw new RailUnavailable('the rail has begun to give money of the case back, and has not ended');
    }
  }
}

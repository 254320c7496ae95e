import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Partitions, StandingWork, type WorkItem, type WorkResult, WorkTable } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database, databaseTime } from '../../platform/database/index.js';
import {
  INFRACTION_RAIL,
  type InfractionRail,
  type InfractionState,
  type ReportedInfraction,
} from '../../pix/index.js';
import { after } from '../domain/deadlines.js';
import { infractionProjection } from '../infraction.projection.js';
import { MedMetrics } from '../med-metrics.js';
import { MedReceiver } from '../med-receiver.js';
import { MED_SWEEP, MED_WORK } from './med-work.js';

const MINUTE_MS = 60_000;
/** Clocks differ, and the rail may book late: each sweep overlaps the one before. */
const OVERLAP_MS = 60 * MINUTE_MS;
/** The first sweep: older reports can move no money (`RETURN_DAYS`). */
const FIRST_MS = 90 * 24 * 60 * MINUTE_MS;

/** How long sweeps go on asking for a report whose deposit is not recorded: after that it is not of ours. */
const UNMATCHED_MS = 24 * 60 * MINUTE_MS;

const MAX_HANDLED = 10_000;
const SEAL_BYTES = 16;

interface Swept {
  readonly until: string;
  /**
   * By `KEY_PEPPER`: a mark that the database's password set ahead would hide the reports of before. So would another
   * rail's or PSP's, whose sweeps found none of them.
   */
  readonly seal: string;
}

interface Payload extends Swept {
  /** How many there were, those included that left no new mark; absent after one of an earlier version. */
  readonly sweeps?: number;
}

interface Received {
  /** Each report was recorded, or is unmatched. */
  readonly isComplete: boolean;
  /** When the oldest was reported of those that wait for their deposit; infinity where none does. */
  readonly waitsFrom: number;
}

/** Asks the rail for reports that changed, so that a lost notification loses no case. */
@Injectable()
export class MedTimers {
  readonly #logger = new Logger(MedTimers.name);
  /** Reports of earlier sweeps, in the state that was recorded: sweeps overlap. */
  readonly #handled = new LRUCache<string, InfractionState>({ max: MAX_HANDLED });
  /** Since when reports have been without their deposit, as this process saw them. */
  readonly #unmatched = new LRUCache<string, number>({ max: MAX_HANDLED });
  /** How many sweeps there were after the last one of this process. */
  #sweeps = 0;
  readonly #pepper: KeyObject;

  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly work: WorkTable,
    private readonly receiver: MedReceiver,
    @Inject(INFRACTION_RAIL) private readonly rail: InfractionRail,
    standing: StandingWork,
    metrics: MedMetrics,
    @Inject(CONFIG) { secrets }: Pick<Config, 'secrets'>,
  ) {
    this.#pepper = createSecretKey(secrets.keyPepper);
    metrics.overdue(() => this.#overdue());
    const missedIn = { rowsOf: infractionProjection.name };
    if (rail.capabilities.receives) standing.register({ ...MED_SWEEP, missedIn });
  }

  async sweep({ payload }: WorkItem): Promise<WorkResult> {
    const retryAt = new Date(Date.now() + MINUTE_MS);
    const { until, seal, sweeps } = (payload ?? {}) as Partial<Payload>;
    const before = Number.isSafeInteger(sweeps) ? sweeps! : 0;
    // Of a standby that lagged, or a restore: what was recorded since is gone with the later sweeps.
    if (before < this.#sweeps) this.#forget();
    this.#sweeps = before + 1;
    const mark = (await this.#sweep(payload)) ?? { until, seal };
    return { retryAt, payload: { ...mark, sweeps: this.#sweeps } };
  }

  #forget(): void {
    this.#handled.clear();
    this.#unmatched.clear();
  }

  /** @returns the new mark, if all was recorded */
  async #sweep(payload: unknown): Promise<Swept | undefined> {
    try {
      const until = await databaseTime(this.database);
      await this.#lookAtCasesDaily();
      const from = this.#beginningOf(payload, until.getTime());
      const { isComplete, waitsFrom } = await this.#receive(new Date(from), until);
      // A report may have changed long after it was made: the mark never goes back.
      const next = Math.min(until.getTime(), Math.max(waitsFrom, from + OVERLAP_MS));
      return isComplete ? this.#swept(new Date(next)) : undefined;
    } catch (error) {
      this.#logger.warn({ err: error }, 'reports could not be read from the rail; retried in a minute');
      return undefined;
    }
  }

  #swept(at: Date): Swept {
    const until = at.toISOString();
    const { name, psp = '' } = this.rail;
    const seal = createHmac('sha256', this.#pepper).update(`${MED_SWEEP.kind}|${name}|${psp}|${until}`).digest();
    return { until, seal: seal.subarray(0, SEAL_BYTES).toString('base64') };
  }

  /**
   * The row is only the database's: a mark that no sweep has left is none, and the first sweep is made again. One of an
   * earlier sweep that is put back has more asked for, and nothing left out.
   */
  #beginningOf(payload: unknown, until: number): number {
    const first = until - FIRST_MS;
    const found = payload as Partial<Swept> | null;
    const mark = new Date(String(found?.until));
    const isOurs = mark.getTime() <= until && this.#swept(mark).seal === found?.seal;
    return isOurs ? Math.max(mark.getTime() - OVERLAP_MS, first) : first;
  }

  /** A process of an earlier version, beside this one in an upgrade, has cases looked at by their deadlines only. */
  async #lookAtCasesDaily(): Promise<void> {
    // By the clock of processes, as when they are due.
    const latest = after(new Date(), 1);
    await this.partitions.ask(this.partitions.all(), (one) => this.work.bringForward(one, MED_WORK.case, latest));
  }

  async #receive(from: Date, to: Date): Promise<Received> {
    let isComplete = true;
    let waitsFrom = Infinity;
    let cursor: string | null = null;
    do {
      const page = await this.rail.infractionsBetween(from, to, cursor);
      for (const reported of page.items) {
        if (this.#isHandled(reported)) continue;
        try {
          const isMatched = await this.receiver.receive(reported);
          if (!isMatched && this.#waits(reported)) waitsFrom = Math.min(waitsFrom, reported.reportedAt.getTime());
          else this.#handled.set(reported.railId, reported.state);
        } catch (error) {
          isComplete = false;
          this.#logger.error({ err: error, railId: reported.railId }, 'a report could not be recorded; it is retried');
        }
      }
      const [unread] = page.unread ?? [];
      if (unread) {
        isComplete = false;
        this.#logger.error({ err: unread }, "a report of the rail's list cannot be read; it is asked for again");
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    return { isComplete, waitsFrom };
  }

  /**
   * One that was taken back is received at each sweep that has it: a late notification, or a sweep of a process that
   * stood still, may have opened its case since.
   */
  #isHandled({ railId, state }: ReportedInfraction): boolean {
    return state !== 'Cancelled' && this.#handled.get(railId) === state;
  }

  /** Deposits have a sweep of their own, which may come later: their reports are asked for again until then. */
  #waits({ railId }: ReportedInfraction): boolean {
    const now = Date.now();
    const since = this.#unmatched.get(railId) ?? now;
    this.#unmatched.set(railId, since);
    return now - since < UNMATCHED_MS;
  }

  async #overdue(): Promise<number> {
    const { found } = await this.partitions.ask(this.partitions.all(), async (partition) => {
      const [row] = await this.database.backgroundQuery<{ overdue: number }>({
        name: 'infractions-overdue',
        text: `
          select count(*)::int as overdue from infraction
          where partition = $1 and status in ('Open', 'Defended') and overdue`,
        values: [partition],
      });
      return row!.overdue;
    });
    return found.reduce((sum, [, overdue]) => sum + overdue, 0);
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  EventLog,
  REGISTRY_PARTITION,
  StandingWork,
  type WorkItem,
  type WorkResult,
  WorkTable,
} from '../../event-store/index.js';
import { Database, databaseTime } from '../../platform/database/index.js';
import { ServiceUnavailable } from '../../platform/errors/index.js';
import { midnightOf, saoPauloDay } from '../../platform/sao-paulo.js';
import { RecordDay } from '../commands/record-day/record-day.command.js';
import { RailSweep } from '../inbox/rail-sweep.js';
import { PixMetrics } from '../pix-metrics.js';
import { type Mismatch, ReconcileDay } from '../queries/reconciliation/reconciliation.query.js';
import { daysToCompare, MOST_DAYS } from './days-to-compare.js';
import { PIX_TIMERS, type PixWorker } from './pix-work.js';

/** Payload of the timer. */
interface Reconciled {
  /** Of São Paulo: `2026-11-20`. All days up to it have been compared. */
  readonly day: string;
  /** Movements that differed, of the days that were compared last. */
  readonly mismatched: number;
}

const MINUTE_MS = 60_000;

/** Compares each day with the rail on the next one, and reports what the last comparison found. */
@Injectable()
export class ReconciliationWorker implements PixWorker {
  readonly #logger = new Logger(ReconciliationWorker.name);

  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly database: Database,
    private readonly work: WorkTable,
    private readonly log: EventLog,
    private readonly sweep: RailSweep,
    standing: StandingWork,
    metrics: PixMetrics,
  ) {
    // A new service has nothing to reconcile for the day before.
    standing.register({ ...PIX_TIMERS.reconcile, firstDue: nextReconciliation, missedIn: 'All' });
    metrics.mismatches(() => this.#lastMismatches());
    metrics.openCases(() => this.#openCases());
  }

  /** Yesterday, and before it every day that was left out: the service may have been down for days. */
  async perform({ payload }: WorkItem): Promise<WorkResult> {
    try {
      const days = await this.#daysToCompare(saoPauloDay(await databaseTime(this.database)), payload);
      let mismatched = 0;
      for (const day of days) mismatched += await this.#reconcileOne(day, day === days.at(-1));
      const reconciled: Reconciled = { day: days.at(-1)!, mismatched };
      return { retryAt: nextReconciliation(new Date()), payload: reconciled };
    } catch (error) {
      this.#logger.warn({ err: error }, 'the reconciliation of a day failed; it is retried');
      return { retryAt: new Date(Date.now() + MINUTE_MS) };
    }
  }

  async #daysToCompare(today: string, payload: unknown): Promise<string[]> {
    const rows = await this.database.backgroundQuery<{ day: string }>({
      name: 'reconciled-days',
      text: 'select day from reconciled_day where partition = $1 and day < $2 order by day desc limit $3',
      values: [REGISTRY_PARTITION, today, MOST_DAYS],
    });
    const [first] = await this.log.readAfter(REGISTRY_PARTITION, 0n, 1);
    return daysToCompare(today, {
      compared: rows.map(({ day }) => day),
      told: (payload as Partial<Reconciled> | null)?.day,
      began: first ? saoPauloDay(first.time) : today,
    });
  }

  /**
   * A side that does not have its movements at the moment ends the run. Another fault is one of the day, such as a row
   * that is gone: no later day waits for it, and it is tried again on the next night, unless no day before it was ever
   * compared.
   */
  async #reconcileOne(day: string, isLast: boolean): Promise<number> {
    try {
      return await this.#reconcileDay(day, isLast);
    } catch (error) {
      if (isLast || error instanceof ServiceUnavailable) throw error;
      this.#logger.error({ err: error, day }, 'a day could not be reconciled; it is left out until the next night');
      return 0;
    }
  }

  /** What came in and the ledger lacks is asked for again. @returns how many movements differ */
  async #reconcileDay(day: string, isLast: boolean): Promise<number> {
    const { from, to, mismatched, mismatches } = await this.queries.execute(new ReconcileDay(day));
    if (mismatched > 0) {
      const first = mismatches.slice(0, 10).map(({ kind, id }) => `${kind} ${id}`);
      this.#logger.error({ day, mismatched, first }, 'the rail and the ledger do not agree about a day');
    }
    // Before the day counts as compared: no other night looks at it.
    if (mismatches.some(isMissed)) await this.sweep.askAgain(from, to);
    await this.commands.execute(new RecordDay(day, mismatched, mismatches, isLast));
    return mismatched;
  }

  /** Of the last reconciliation, by whichever process: the alert must not depend on one process. */
  async #lastMismatches(): Promise<number> {
    const reconciled = await this.work.payloadOf<Partial<Reconciled>>(REGISTRY_PARTITION, PIX_TIMERS.reconcile.id);
    return Number(reconciled?.mismatched) || 0;
  }

  async #openCases(): Promise<number> {
    const [row] = await this.database.backgroundQuery<{ open: number }>({
      name: 'reconciliation-cases-open',
      text: `select count(*)::int as open from reconciliation_case where partition = $1 and status = 'Open'`,
      values: [REGISTRY_PARTITION],
    });
    return row!.open;
  }
}

/** A sweep records it: the rail listed it late, or had left it out of a list. */
function isMissed({ kind, ledger }: Mismatch): boolean {
  return (kind === 'PaymentIn' || kind === 'RefundIn') && ledger === null;
}

/** One in the morning, São Paulo: by then late notifications of the day before have arrived. */
function nextReconciliation(now: Date): Date {
  const today = new Date(midnightOf(saoPauloDay(now)).getTime() + 60 * MINUTE_MS);
  return today > now ? today : new Date(today.getTime() + 24 * 60 * MINUTE_MS);
}

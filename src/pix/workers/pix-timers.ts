import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  addWork,
  type NewWork,
  REGISTRY_PARTITION,
  type WorkItem,
  type WorkResult,
  WorkTable,
} from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database, databaseTime } from '../../platform/database/index.js';
import { midnightOf, saoPauloDay } from '../../platform/sao-paulo.js';
import { RecordDay } from '../commands/record-day/record-day.command.js';
import { PixMetrics } from '../pix-metrics.js';
import { ReconcileDay } from '../queries/reconciliation/reconciliation.query.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { RailSweep } from '../inbox/rail-sweep.js';
import { TIMER_IDS } from './timer-ids.js';

/** Work that never ends: one row each, whatever the number of processes. */
export const TIMERS = {
  sweep: { kind: 'pix-sweep', id: TIMER_IDS.sweep },
  reconcile: { kind: 'pix-reconcile', id: TIMER_IDS.reconcile },
  /** Only where the rail takes few payments at once: the process that holds its lease dispatches them. */
  dispatcher: { kind: 'pix-sending-line', id: TIMER_IDS.dispatcher },
} as const;

/** Payload of the reconciliation timer. */
interface Reconciled {
  /** Of São Paulo: `2026-11-20`. All days up to it have been compared. */
  readonly day: string;
  /** Movements that differed, of the days that were compared last. */
  readonly mismatched: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Scheduled work of Pix: sweeps the rail every minute and after a restart, and reconciles each day on the next. */
@Injectable()
export class PixTimers implements OnApplicationBootstrap {
  readonly #logger = new Logger(PixTimers.name);

  constructor(
    private readonly sweep: RailSweep,
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly database: Database,
    private readonly work: WorkTable,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    metrics: PixMetrics,
  ) {
    metrics.mismatches(() => this.#lastMismatches());
    metrics.openCases(() => this.#openCases());
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'api') return;
    const now = new Date();
    const hasDispatcher = this.rail.capabilities.namesPayments !== undefined;
    const timers = Object.values(TIMERS).filter((timer) => timer !== TIMERS.dispatcher || hasDispatcher);
    const work = timers.map((timer) => {
      const { kind, id } = timer;
      // A new service has nothing to reconcile for the day before.
      const dueAt = timer === TIMERS.reconcile ? nextReconciliation(now) : now;
      return { id, kind, subject: id, payload: null, dueAt };
    });
    await this.#addTimers(work);
    // The row may not be due for a minute; payments that came in while no process ran must not wait for it.
    this.sweep.run().catch((error: unknown) => this.#logger.warn({ err: error }, 'the sweep after the start failed'));
  }

  /** The rows may exist already: the start does not wait for the registry's node while it is unreachable. */
  async #addTimers(work: readonly NewWork[]): Promise<void> {
    try {
      await this.database.transaction((client) => addWork(client, REGISTRY_PARTITION, work));
    } catch (error) {
      this.#logger.warn({ err: error }, 'timers could not be created; retried in a minute');
      setTimeout(() => void this.#addTimers(work), MINUTE_MS).unref();
    }
  }

  async sweepAgain(): Promise<WorkResult> {
    try {
      await this.sweep.run();
    } catch (error) {
      this.#logger.warn({ err: error }, 'the sweep of the rail failed; it is retried in a minute');
    }
    return { retryAt: new Date(Date.now() + MINUTE_MS) };
  }

  /** Of the last reconciliation, by whichever process: the alert must not depend on one process. */
  async #lastMismatches(): Promise<number> {
    const reconciled = await this.work.payloadOf<Reconciled>(REGISTRY_PARTITION, TIMERS.reconcile.id);
    return reconciled?.mismatched ?? 0;
  }

  async #openCases(): Promise<number> {
    const [row] = await this.database.backgroundQuery<{ open: number }>({
      name: 'reconciliation-cases-open',
      text: `select count(*)::int as open from reconciliation_case where partition = $1 and status = 'Open'`,
      values: [REGISTRY_PARTITION],
    });
    return row!.open;
  }

  /** Yesterday, and before it every day since the last reconciliation: the service may have been down for days. */
  async reconcile({ payload }: WorkItem): Promise<WorkResult> {
    const last = payload as Reconciled | null;
    try {
      const days = daysAfter(last?.day, saoPauloDay(await databaseTime(this.database)));
      let mismatched = 0;
      for (const day of days) mismatched += await this.#reconcileDay(day, day === days.at(-1));
      const reconciled: Reconciled = { day: days.at(-1)!, mismatched };
      return { retryAt: nextReconciliation(new Date()), payload: reconciled };
    } catch (error) {
      this.#logger.warn({ err: error }, 'the reconciliation of a day failed; it is retried');
      return { retryAt: new Date(Date.now() + MINUTE_MS) };
    }
  }

  /** @returns how many movements differ */
  async #reconcileDay(day: string, isLast: boolean): Promise<number> {
    const { mismatched, mismatches } = await this.queries.execute(new ReconcileDay(day));
    if (mismatched > 0) {
      const first = mismatches.slice(0, 10).map(({ kind, id }) => `${kind} ${id}`);
      this.#logger.error({ day, mismatched, first }, 'the rail and the ledger do not agree about a day');
    }
    await this.commands.execute(new RecordDay(day, mismatched, mismatches, isLast));
    return mismatched;
  }
}

/** The days between the last reconciliation and today; yesterday at least, which may be compared once more. */
function daysAfter(reconciled: string | undefined, today: string): string[] {
  const days = [dayBefore(today)];
  while (reconciled !== undefined && dayBefore(days[0]!) > reconciled) days.unshift(dayBefore(days[0]!));
  return days;
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
}

/** One in the morning, São Paulo: by then late notifications of the day before have arrived. */
function nextReconciliation(now: Date): Date {
  const today = new Date(midnightOf(saoPauloDay(now)).getTime() + 60 * MINUTE_MS);
  return today > now ? today : new Date(today.getTime() + DAY_MS);
}

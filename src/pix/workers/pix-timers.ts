import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { addWork, REGISTRY_PARTITION, type WorkResult } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { saoPauloDay } from '../domain/limits.js';
import { PixMetrics } from '../pix-metrics.js';
import { ReconcileDay } from '../queries/reconciliation/reconcile-day.query.js';
import { RailSweep } from './rail-sweep.js';

/** Intentions that never end: one row each, whatever the number of processes. */
export const TIMERS = {
  sweep: { kind: 'pix-sweep', id: '00000000-0000-7000-8000-000000000001' },
  reconcile: { kind: 'pix-reconcile', id: '00000000-0000-7000-8000-000000000002' },
} as const;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What Pix does by the clock: sweeps the rail every minute and after a restart, and reconciles each day on the next. */
@Injectable()
export class PixTimers implements OnApplicationBootstrap {
  readonly #logger = new Logger(PixTimers.name);

  constructor(
    private readonly sweep: RailSweep,
    private readonly queries: QueryBus,
    private readonly metrics: PixMetrics,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'api') return;
    const dueAt = new Date();
    const work = Object.values(TIMERS).map(({ kind, id }) => ({ id, kind, subject: id, payload: null, dueAt }));
    await this.database.transaction((client) => addWork(client, REGISTRY_PARTITION, work));
    // The row may not be due for a minute; what came in while nobody ran must not wait for it.
    this.sweep.run().catch((error: unknown) => this.#logger.warn({ err: error }, 'the sweep after the start failed'));
  }

  async sweepAgain(): Promise<WorkResult> {
    try {
      await this.sweep.run();
    } catch (error) {
      this.#logger.warn({ err: error }, 'the rail could not be swept; it is tried again in a minute');
    }
    return { retryAt: new Date(Date.now() + MINUTE_MS) };
  }

  async reconcileYesterday(): Promise<WorkResult> {
    const now = new Date();
    try {
      const day = saoPauloDay(new Date(now.getTime() - DAY_MS));
      const { mismatched, mismatches } = await this.queries.execute(new ReconcileDay(day));
      this.metrics.reconciled(mismatched);
      if (mismatched > 0) {
        const first = mismatches.slice(0, 10).map(({ kind, id }) => `${kind} ${id}`);
        this.#logger.error({ day, mismatched, first }, 'the rail and the ledger do not agree about a day');
      }
    } catch (error) {
      this.#logger.warn({ err: error }, 'a day could not be reconciled; it is tried again');
      return { retryAt: new Date(now.getTime() + MINUTE_MS) };
    }
    return { retryAt: nextReconciliation(now) };
  }
}

/** One in the morning, São Paulo: late news of the day before have come by then. */
function nextReconciliation(now: Date): Date {
  const today = new Date(`${saoPauloDay(now)}T01:00:00-03:00`);
  return today > now ? today : new Date(today.getTime() + DAY_MS);
}

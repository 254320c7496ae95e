import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Gauge } from 'prom-client';
import { Database } from '../platform/database/index.js';
import { inScrape, MetricsRegistry, secondsSince } from '../platform/observability/metrics-registry.js';
import { LeasedWork } from './work/leased-work.js';
import type { ClaimedWork, WorkSource } from './work/work-source.js';
import { Partitions } from './log/partitions.js';
import { Subscriptions } from './followers/subscriptions.js';

interface Lag extends QueryResultRow {
  readonly consumer: string;
  readonly lag: string;
  readonly oldest: Date | null;
}

interface Due extends QueryResultRow {
  readonly due: number;
  readonly oldest: Date | null;
}

/**
 * Backlogs in the database: due work and consumer lag, read at each scrape. Every process exports them, API processes
 * too: a backlog without a worker must be seen.
 */
@Injectable()
export class BacklogMetrics {
  readonly #due: Gauge;
  readonly #oldest: Gauge;
  readonly #lag: Gauge;
  readonly #lagSeconds: Gauge;
  /** One read a scrape, whichever gauge is collected first. */
  #reading: Promise<void> | undefined;

  constructor(
    { registry }: MetricsRegistry,
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly work: LeasedWork,
    private readonly subscriptions: Subscriptions,
  ) {
    const registers = [registry];
    const collect = () => this.#readOnce();
    this.#due = new Gauge({
      name: 'ledger_work_due',
      help: 'Work items that are due or in progress, by source; at most 10,000 are counted in a partition.',
      labelNames: ['source'],
      registers,
      collect,
    });
    this.#oldest = new Gauge({
      name: 'ledger_work_oldest_due_seconds',
      help: 'How long the oldest work item has been due, by source; 0 if there is none.',
      labelNames: ['source'],
      registers,
      collect,
    });
    this.#lag = new Gauge({
      name: 'ledger_subscription_lag_events',
      help: 'Consumer lag: events of the partition that the consumer has not processed; below 0 it will leave some out.',
      labelNames: ['consumer', 'partition'],
      registers,
      collect,
    });
    this.#lagSeconds = new Gauge({
      name: 'ledger_subscription_lag_seconds',
      help: 'Consumer lag: age of the oldest event that the consumer has not processed; 0 if there is none.',
      labelNames: ['consumer', 'partition'],
      registers,
      collect,
    });
    const running: Gauge = new Gauge({
      name: 'ledger_work_running',
      help: 'Work items in progress in this process, by source.',
      labelNames: ['source'],
      registers,
      collect: () => this.work.running().forEach((items, source) => running.set({ source }, items)),
    });
  }

  #readOnce(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<void> {
    // No values rather than stale ones; `database_up` shows that the database is unreachable. Of the others nothing is
    // hidden: alerts look at each.
    await Promise.all([
      this.#readLags().catch(() => [this.#lag, this.#lagSeconds].forEach((gauge) => gauge.reset())),
      ...this.work.sources().map((source) =>
        this.#readWork(source).catch(() => {
          for (const gauge of [this.#due, this.#oldest]) gauge.remove({ source: source.name });
        }),
      ),
    ]);
  }

  async #readWork(source: WorkSource<ClaimedWork>): Promise<void> {
    const { name, place } = source;
    const now = new Date();
    const ask = async (partition: number) => {
      const [row] = await this.database.backgroundQuery<Due>(source.backlog(now, partition));
      return row!;
    };
    const found = place.partitions
      ? await inScrape(Promise.all(place.partitions.map(ask)))
      : (await inScrape(this.partitions.ask(this.partitions.all(), ask))).found.map(([, row]) => row);
    this.#due.set(
      { source: name },
      found.reduce((sum, { due }) => sum + due, 0),
    );
    const oldest = found.flatMap((row) => row.oldest?.getTime() ?? []);
    this.#oldest.set({ source: name }, oldest.length === 0 ? 0 : secondsSince(new Date(Math.min(...oldest))));
  }

  async #readLags(): Promise<void> {
    const consumers = this.subscriptions.all().map(({ name }) => name);
    const lagsOf = (partition: number) =>
      this.database.backgroundQuery<Lag>({
        name: 'subscription-lags',
        text: `
          select c.consumer, h.position - coalesce(s.position, 0) as lag, e.time as oldest
          from log_head h
          cross join unnest($2::text[]) as c (consumer)
          left join subscription s on s.partition = h.partition and s.consumer = c.consumer
          left join event e on e.partition = h.partition and e.position = coalesce(s.position, 0) + 1
          where h.partition = $1`,
        values: [partition, consumers],
      });
    const { found } = await inScrape(this.partitions.ask(this.partitions.all(), lagsOf));
    for (const [partition, rows] of found) {
      for (const { consumer, lag, oldest } of rows) {
        this.#lag.set({ consumer, partition }, Number(lag));
        this.#lagSeconds.set({ consumer, partition }, oldest ? secondsSince(oldest) : 0);
      }
    }
  }
}

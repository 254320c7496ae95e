import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { Partitions } from '../event-store/index.js';
import { Database } from '../platform/database/index.js';
import { inScrape, MetricsRegistry, secondsSince } from '../platform/observability/metrics-registry.js';

export type AttemptOutcome = 'delivered' | 'stopped' | 'exhausted' | 'failed';

/** Webhook metrics. The saga's consumer lag is `ledger_subscription_lag_events{consumer="webhooks"}`. */
@Injectable()
export class WebhookMetrics {
  readonly #attempts: Counter;
  readonly #exhausted: Counter;
  readonly #seconds: Histogram;
  readonly #lag: Histogram;
  readonly #openCircuits: Gauge;
  #circuits: () => { readonly origins: number; readonly addresses: number } = () => ({ origins: 0, addresses: 0 });

  constructor(
    { registry }: MetricsRegistry,
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'Delivery attempts by outcome; failed ones are retried.',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of ['delivered', 'stopped', 'exhausted', 'failed']) this.#attempts.inc({ outcome }, 0);
    this.#exhausted = new Counter({
      name: 'webhook_exhausted_total',
      help: 'Deliveries whose retry schedule is exhausted.',
      registers,
    });
    this.#seconds = new Histogram({
      name: 'webhook_attempt_seconds',
      help: 'Duration of a delivery attempt.',
      buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
      registers,
    });
    this.#lag = new Histogram({
      name: 'webhook_lag_seconds',
      help: 'Delay between the due time and the start of an attempt.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 300],
      registers,
    });
    this.#openCircuits = new Gauge({
      name: 'webhook_open_circuits',
      help: 'Open circuits of this process.',
      labelNames: ['scope'],
      registers,
      collect: () => {
        const { origins, addresses } = this.#circuits();
        this.#openCircuits.set({ scope: 'origin' }, origins);
        this.#openCircuits.set({ scope: 'address' }, addresses);
      },
    });
    const overdue: Gauge = new Gauge({
      name: 'webhook_oldest_due_seconds',
      help: 'Age of the oldest due attempt, those held back by an open circuit included.',
      registers,
      collect: async () => overdue.set(await this.#oldestDue()),
    });
  }

  circuits(count: () => { readonly origins: number; readonly addresses: number }): void {
    this.#circuits = count;
  }

  exhausted(deliveries: number): void {
    this.#exhausted.inc(deliveries);
  }

  attempt(outcome: AttemptOutcome, seconds: number, lagSeconds: number): void {
    this.#attempts.inc({ outcome });
    if (outcome === 'exhausted') this.exhausted(1);
    this.#seconds.observe(seconds);
    this.#lag.observe(Math.max(0, lagSeconds));
  }

  /** Reads the index of due deliveries: its size follows the backlog, not the history. */
  async #oldestDue(): Promise<number> {
    try {
      const oldestOf = (partition: number) =>
        this.database.backgroundQuery<{ due_at: Date | null }>({
          name: 'webhook-oldest-due',
          text: 'select min(due_at) as due_at from webhook_delivery where partition = $1 and due_at is not null',
          values: [partition],
        });
      const { found } = await inScrape(this.partitions.ask(this.partitions.all(), oldestOf));
      const times = found.flatMap(([, [row]]) => row?.due_at?.getTime() ?? []);
      return times.length === 0 ? 0 : secondsSince(new Date(Math.min(...times)));
    } catch {
      // A scrape must not fail because the database is down: other metrics show that.
      return 0;
    }
  }
}

import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { inScrape, MetricsRegistry } from '../platform/observability/metrics-registry.js';

/** Metrics of the special return mechanism. */
@Injectable()
export class MedMetrics {
  readonly #unmatched: Counter;
  #overdue: (() => Promise<number>) | undefined;

  constructor({ registry }: MetricsRegistry) {
    const registers = [registry];
    this.#unmatched = new Counter({
      name: 'med_unmatched_reports_total',
      help: 'Reports of infractions about no completed deposit of ours. An operator must look at each one.',
      registers,
    });
    this.#unmatched.inc(0);
    const overdue: Gauge = new Gauge({
      name: 'med_reports_overdue',
      help: 'Reports of infractions whose analysis should have ended, and that nobody has decided.',
      registers,
      collect: async () =>
        this.#overdue &&
        inScrape(this.#overdue()).then(
          (count) => overdue.set(count),
          () => undefined,
        ),
    });
  }

  unmatched(): void {
    this.#unmatched.inc();
  }

  /** @param count reads how many there are, at a scrape */
  overdue(count: () => Promise<number>): void {
    this.#overdue = count;
  }
}

import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { gaugeOf, MetricsRegistry } from '../platform/observability/metrics-registry.js';

/** Metrics of the special return mechanism. */
@Injectable()
export class MedMetrics {
  readonly #unmatched: Counter;
  #overdue: (() => Promise<number>) | undefined;

  constructor(metrics: MetricsRegistry) {
    this.#unmatched = new Counter({
      name: 'med_unmatched_reports_total',
      help: 'Reports of infractions about no completed deposit of ours. An operator must look at each one.',
      registers: [metrics.registry],
    });
    this.#unmatched.inc(0);
    const overdue = {
      name: 'med_reports_overdue',
      help: 'Reports of infractions whose analysis should have ended, and that nobody has decided.',
    };
    gaugeOf(metrics, overdue, () => this.#overdue?.());
  }

  unmatched(): void {
    this.#unmatched.inc();
  }

  /** @param count reads how many there are, at a scrape */
  overdue(count: () => Promise<number>): void {
    this.#overdue = count;
  }
}

import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { gaugeOf, MetricsRegistry } from '../platform/observability/metrics-registry.js';

/** Metrics of Pix. */
@Injectable()
export class PixMetrics {
  readonly #calls: Counter;
  readonly #seconds: Histogram;
  readonly #unmatched: Counter;
  readonly #refused: Counter;
  #mismatches: (() => Promise<number>) | undefined;
  #openCases: (() => Promise<number>) | undefined;

  constructor(metrics: MetricsRegistry) {
    const registers = [metrics.registry];
    this.#calls = new Counter({
      name: 'pix_rail_calls_total',
      help: 'Calls of the rail, by outcome; Unavailable: it did not answer.',
      labelNames: ['operation', 'outcome'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'pix_rail_call_seconds',
      help: 'Duration of calls of the rail.',
      labelNames: ['operation'],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10],
      registers,
    });
    this.#unmatched = new Counter({
      name: 'pix_unmatched_payments_total',
      help: 'Unmatched payments and returns. An operator must resolve each one.',
      labelNames: ['kind'],
      registers,
    });
    // Prometheus does not see an increase from nothing to 1.
    for (const kind of ['Payment', 'Return']) this.#unmatched.inc({ kind }, 0);
    this.#refused = new Counter({
      name: 'pix_payment_returns_refused_total',
      help: 'Refused returns: payments that did not fit and that the rail would not return. An operator must resolve each one.',
      registers,
    });
    const mismatches = {
      name: 'pix_reconciliation_mismatches',
      help: 'Movements that differ between rail and ledger, in the last reconciliation (mostly of one day).',
    };
    gaugeOf(metrics, mismatches, () => this.#mismatches?.());
    const openCases = {
      name: 'pix_reconciliation_cases_open',
      help: 'Open reconciliation cases: differences between rail and ledger that no operator has closed.',
    };
    gaugeOf(metrics, openCases, () => this.#openCases?.());
  }

  /** @param count reads the number of open cases, at a scrape */
  openCases(count: () => Promise<number>): void {
    this.#openCases = count;
  }

  call(operation: string, outcome: string, seconds: number): void {
    this.#calls.inc({ operation, outcome });
    this.#seconds.observe({ operation }, seconds);
  }

  unmatched(kind: 'Payment' | 'Return'): void {
    this.#unmatched.inc({ kind });
  }

  returnRefused(): void {
    this.#refused.inc();
  }

  /** @param count reads the mismatches of the last reconciliation, at a scrape */
  mismatches(count: () => Promise<number>): void {
    this.#mismatches = count;
  }
}

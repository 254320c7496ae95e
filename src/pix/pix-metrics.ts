import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { MetricsRegistry } from '../platform/observability/metrics-registry.js';

/** What Pix tells Prometheus. */
@Injectable()
export class PixMetrics {
  readonly #calls: Counter;
  readonly #seconds: Histogram;
  readonly #unmatched: Counter;
  readonly #refused: Counter;
  #mismatches: (() => Promise<number>) | undefined;
  #openCases: (() => Promise<number>) | undefined;

  constructor({ registry }: MetricsRegistry) {
    const registers = [registry];
    this.#calls = new Counter({
      name: 'pix_rail_calls_total',
      help: 'Calls of the rail by what came of them; an outcome of Unavailable says that it did not answer.',
      labelNames: ['operation', 'outcome'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'pix_rail_call_seconds',
      help: 'Time of calls of the rail.',
      labelNames: ['operation'],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10],
      registers,
    });
    this.#unmatched = new Counter({
      name: 'pix_unmatched_payments_total',
      help: 'Money that came in and belongs to nothing. Each one needs a person.',
      labelNames: ['kind'],
      registers,
    });
    // Prometheus does not see an increase from nothing to 1.
    for (const kind of ['Payment', 'Return']) this.#unmatched.inc({ kind }, 0);
    this.#refused = new Counter({
      name: 'pix_payment_returns_refused_total',
      help: 'Payments that did not fit and that the rail refused to give back. Each one needs a person.',
      registers,
    });
    const mismatches: Gauge = new Gauge({
      name: 'pix_reconciliation_mismatches',
      help: 'Movements of the days reconciled last, mostly one, that are not the same at the rail and in the ledger.',
      registers,
      // While the database is away it stays as it was read last: other figures say that.
      collect: async () =>
        this.#mismatches?.().then(
          (count) => mismatches.set(count),
          () => undefined,
        ),
    });
    const openCases: Gauge = new Gauge({
      name: 'pix_reconciliation_cases_open',
      help: 'Differences between the rail and the ledger that no operator has closed.',
      registers,
      collect: async () =>
        this.#openCases?.().then(
          (count) => openCases.set(count),
          () => undefined,
        ),
    });
  }

  /** Tells how many cases are open. */
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

  /** Tells where the last reconciliation's mismatches are; they are looked at when somebody asks. */
  mismatches(count: () => Promise<number>): void {
    this.#mismatches = count;
  }
}

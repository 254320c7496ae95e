import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { MetricsRegistry } from '../platform/observability/metrics-registry.js';

/** What the event store tells Prometheus. */
@Injectable()
export class EventStoreMetrics {
  readonly #commands: Histogram;
  readonly #seconds: Histogram;
  readonly #events: Counter;
  readonly #faults: Counter;
  readonly #lag: Gauge;

  constructor({ registry }: MetricsRegistry) {
    const registers = [registry];
    this.#commands = new Histogram({
      name: 'ledger_batch_commands',
      help: 'Commands written in one transaction.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      labelNames: ['partition'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'ledger_batch_seconds',
      help: 'Time of one group commit, from the lock of the head to the answer to COMMIT.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      labelNames: ['partition'],
      registers,
    });
    this.#events = new Counter({
      name: 'ledger_events_total',
      help: 'Events appended by this process.',
      labelNames: ['partition'],
      registers,
    });
    this.#faults = new Counter({
      name: 'ledger_batch_faults_total',
      help: 'Batches that failed and were repeated or split.',
      labelNames: ['partition'],
      registers,
    });
    this.#lag = new Gauge({
      name: 'ledger_subscription_lag_events',
      help: 'Events that a follower of the log has not seen yet.',
      labelNames: ['consumer', 'partition'],
      registers,
    });
  }

  batch(partition: number, commands: number, events: number, seconds: number): void {
    this.#commands.observe({ partition }, commands);
    this.#seconds.observe({ partition }, seconds);
    this.#events.inc({ partition }, events);
  }

  fault(partition: number): void {
    this.#faults.inc({ partition });
  }

  lag(consumer: string, partition: number, events: number): void {
    this.#lag.set({ consumer, partition }, events);
  }
}

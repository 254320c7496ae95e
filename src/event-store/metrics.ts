import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { MetricsRegistry } from '../platform/observability/metrics-registry.js';

/** Metrics of the event store's write side. */
@Injectable()
export class EventStoreMetrics {
  readonly #commands: Histogram;
  readonly #seconds: Histogram;
  readonly #events: Counter;
  readonly #faults: Counter;
  readonly #refused: Counter;
  readonly #queueLimit: Gauge;
  #waiting: () => ReadonlyMap<number, number> = () => new Map();

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
      help: 'Duration of a group commit, from its first read to the answer to COMMIT.',
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
      help: 'Batches that failed and were retried or split.',
      labelNames: ['partition'],
      registers,
    });
    this.#refused = new Counter({
      name: 'ledger_refused_total',
      help: 'Commands refused with 503: the queue is full, its oldest command waits too long, or a new one would.',
      labelNames: ['partition'],
      registers,
    });
    const queued: Gauge = new Gauge({
      name: 'ledger_queue_commands',
      help: 'Commands in the queue of a partition in this process.',
      labelNames: ['partition'],
      registers,
      collect: () => this.#waiting().forEach((commands, partition) => queued.set({ partition }, commands)),
    });
    this.#queueLimit = new Gauge({
      name: 'ledger_queue_limit_commands',
      help: 'Capacity of a queue; when it is full, commands are refused with 503.',
      registers,
    });
  }

  /** @param waiting gives the length of each queue, at a scrape */
  queues(waiting: () => ReadonlyMap<number, number>, limit: number): void {
    this.#waiting = waiting;
    this.#queueLimit.set(limit);
  }

  /** A lane was opened: its counters begin at 0, as Prometheus does not see an increase from absent to 1. */
  lane(partition: number): void {
    for (const counter of [this.#events, this.#faults, this.#refused]) counter.inc({ partition }, 0);
  }

  batch(partition: number, commands: number, events: number, seconds: number): void {
    this.#commands.observe({ partition }, commands);
    this.#seconds.observe({ partition }, seconds);
    this.#events.inc({ partition }, events);
  }

  fault(partition: number): void {
    this.#faults.inc({ partition });
  }

  refused(partition: number): void {
    this.#refused.inc({ partition });
  }
}

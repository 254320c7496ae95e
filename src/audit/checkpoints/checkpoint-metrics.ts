import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { MetricsRegistry } from '../../platform/observability/metrics-registry.js';

/** What the signer of checkpoints tells Prometheus. An alarm belongs on `ledger_checkpoint_refused`. */
@Injectable()
export class CheckpointMetrics {
  readonly #size: Gauge;
  readonly #signedAt: Gauge;
  readonly #refused: Gauge;
  readonly #refusals: Counter;

  constructor({ registry }: MetricsRegistry) {
    const common = { labelNames: ['partition'], registers: [registry] };
    this.#size = new Gauge({
      name: 'ledger_checkpoint_size',
      help: 'Events under the newest signed checkpoint.',
      ...common,
    });
    this.#signedAt = new Gauge({
      name: 'ledger_checkpoint_signed_seconds',
      help: 'Unix time at which this process last signed a checkpoint.',
      ...common,
    });
    this.#refused = new Gauge({
      name: 'ledger_checkpoint_refused',
      help: '1 while the history contradicts a signed checkpoint or its own hashes, and nothing is signed.',
      ...common,
    });
    this.#refusals = new Counter({
      name: 'ledger_checkpoint_refusals_total',
      help: 'Times that a checkpoint was not signed because the history was altered.',
      ...common,
    });
  }

  signed(partition: number, size: bigint, at: Date): void {
    this.#size.set({ partition }, Number(size));
    this.#signedAt.set({ partition }, at.getTime() / 1000);
  }

  refused(partition: number): void {
    this.#refused.set({ partition }, 1);
    this.#refusals.inc({ partition });
  }

  sound(partition: number): void {
    this.#refused.set({ partition }, 0);
  }
}

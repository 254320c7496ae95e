import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Partitions } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { inScrape, MetricsRegistry, secondsSince } from '../../platform/observability/metrics-registry.js';

const COSIGNATURES = ['given', 'missing'] as const;

/** Metrics of the checkpoint signer. Alert on `ledger_checkpoint_refused`. */
@Injectable()
export class CheckpointMetrics {
  readonly #size: Gauge;
  readonly #signedAt: Gauge;
  readonly #refused: Gauge;
  readonly #refusals: Counter;
  readonly #cosignatures: Counter;

  constructor(
    { registry }: MetricsRegistry,
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {
    const common = { labelNames: ['partition'], registers: [registry] };
    this.#size = new Gauge({
      name: 'ledger_checkpoint_size',
      help: 'Events that the newest signed checkpoint covers.',
      ...common,
    });
    this.#signedAt = new Gauge({
      name: 'ledger_checkpoint_signed_seconds',
      help: 'Unix time at which this process last signed a checkpoint.',
      ...common,
    });
    this.#refused = new Gauge({
      name: 'ledger_checkpoint_refused',
      help: '1 while the log contradicts a signed checkpoint, an answer or its own hashes, and nothing is signed.',
      ...common,
    });
    this.#refusals = new Counter({
      name: 'ledger_checkpoint_refusals_total',
      help: 'Checkpoints that were not signed because the log was altered.',
      ...common,
    });
    this.#cosignatures = new Counter({
      name: 'ledger_checkpoint_cosignatures_total',
      help: 'Checkpoints that this process asked a witness to cosign, by outcome: given or missing.',
      ...common,
      labelNames: ['partition', 'outcome'],
    });
    const unsealed: Gauge = new Gauge({
      name: 'ledger_checkpoint_unsealed_seconds',
      help: 'Age of the oldest event that no signed checkpoint covers; 0 where all are covered.',
      ...common,
      collect: async () => {
        // No value is better than a stale one: other metrics show that the database is down.
        unsealed.reset();
        for (const { partition, seconds } of await this.#unsealed()) unsealed.set({ partition }, seconds);
      },
    });
  }

  signed(partition: number, size: bigint, at: Date): void {
    this.#size.set({ partition }, Number(size));
    this.#signedAt.set({ partition }, at.getTime() / 1000);
  }

  asked(partition: number, outcome: (typeof COSIGNATURES)[number]): void {
    this.#cosignatures.inc({ partition, outcome });
  }

  refused(partition: number): void {
    this.#refused.set({ partition }, 1);
    this.#refusals.inc({ partition });
  }

  sound(partition: number): void {
    this.#refused.set({ partition }, 0);
    // From the first round on, before any was asked for: so the first one that is missing shows as a rise.
    for (const outcome of COSIGNATURES) this.#cosignatures.inc({ partition, outcome }, 0);
  }

  async #unsealed(): Promise<{ partition: number; seconds: number }[]> {
    try {
      const oldestOf = (partition: number) =>
        this.database.backgroundQuery<{ time: Date }>({
          name: 'checkpoint-unsealed',
          text: `
            select time from event
            where partition = $1 and position = 1 + coalesce((
              select size from checkpoint where partition = $1 order by size desc limit 1), 0)`,
          values: [partition],
        });
      const { found } = await inScrape(this.partitions.ask(this.partitions.all(), oldestOf));
      return found.map(([partition, [oldest]]) => ({ partition, seconds: oldest ? secondsSince(oldest.time) : 0 }));
    } catch {
      return [];
    }
  }
}

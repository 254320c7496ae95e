import { Injectable } from '@nestjs/common';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import { SharedReads } from '../database/index.js';
import { Peers } from '../workers/index.js';
import { MetricsRegistry } from './metrics-registry.js';

const KIND = 'metrics';
/** A worker that does not answer in this time is missing in a scrape: it may have waited for the database itself. */
const PATIENCE_MS = 5_000;

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** The metrics of a service: of its one process, or of all its workers, each series with the label `worker`. */
@Injectable()
export class ServiceMetrics {
  /** Anybody may ask, and a reading takes tens of milliseconds of processor time. */
  readonly #asked = new SharedReads<string>();

  constructor(
    private readonly metrics: MetricsRegistry,
    private readonly peers: Peers,
  ) {
    peers.serve(KIND, () => this.#own());
  }

  get contentType(): string {
    return this.metrics.registry.contentType;
  }

  /** Prometheus' text format. */
  text(): Promise<string> {
    return this.#asked.run(KIND, () => this.#text());
  }

  async #text(): Promise<string> {
    if (this.peers.isAlone) return this.metrics.registry.metrics();
    const [own, others] = await Promise.all([this.#own(), this.peers.callAll(KIND, undefined, PATIENCE_MS)]);
    // Series of different workers have different labels: nothing is added up, the library only groups them by name.
    return AggregatorRegistry.aggregate([own, ...(others as Metrics[])]).metrics();
  }

  async #own(): Promise<Metrics> {
    const metrics = (await this.metrics.registry.getMetricsAsJSON()) as Metrics;
    const worker = `${this.peers.worker}`;
    return metrics.map((metric) => ({
      ...metric,
      aggregator: 'sum',
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
    }));
  }
}

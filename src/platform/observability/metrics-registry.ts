import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** One registry per application, so that several in one process (tests) do not share metrics. */
@Injectable()
export class MetricsRegistry {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }
}

/** What a gauge of delay or age shows: none for a time to come, by another machine's clock. */
export function secondsSince(time: Date): number {
  return Math.max(0, (Date.now() - time.getTime()) / 1000);
}

import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { inTime } from '../in-time.js';

/** How long a scrape waits for the database. Prometheus waits for ten seconds, and would lose the other metrics too. */
const PATIENCE_MS = 3_000;

/** One registry per application, so that several in one process (tests) do not share metrics. */
@Injectable()
export class MetricsRegistry {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }
}

/** What a gauge reads of the database at a scrape. @throws where it does not answer in time */
export function inScrape<T>(reading: Promise<T>): Promise<T> {
  return inTime(reading, PATIENCE_MS, () => new Error('the database did not answer in time'));
}

/**
 * A gauge of a number that is read at a scrape. While that cannot be read it keeps its last value; `database_up` shows
 * that the database is unreachable.
 * @param read `undefined` as long as nobody can tell
 */
export function gaugeOf(
  { registry }: MetricsRegistry,
  described: { readonly name: string; readonly help: string },
  read: () => Promise<number> | undefined,
): void {
  const gauge: Gauge = new Gauge({
    ...described,
    registers: [registry],
    collect: async () => {
      const reading = read();
      if (reading)
        await inScrape(reading).then(
          (count) => gauge.set(count),
          () => undefined,
        );
    },
  });
}

/** What a gauge of delay or age shows: none for a time to come, by another machine's clock. */
export function secondsSince(time: Date): number {
  return Math.max(0, (Date.now() - time.getTime()) / 1000);
}

import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';

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

/** What a gauge reads of the database at a scrape. @throws NotInTime */
export async function inScrape<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NotInTime()), PATIENCE_MS);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

class NotInTime extends Error {}

/** What a gauge of delay or age shows: none for a time to come, by another machine's clock. */
export function secondsSince(time: Date): number {
  return Math.max(0, (Date.now() - time.getTime()) / 1000);
}

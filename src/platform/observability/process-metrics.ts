import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { type Config, CONFIG } from '../config/index.js';
import { Database, databaseState } from '../database/index.js';
import { standardOutput } from './log-output.js';
import { inScrape, MetricsRegistry } from './metrics-registry.js';

/** Metrics of the process and its database connections. */
@Injectable()
export class ProcessMetrics {
  /** One query for each scrape, whichever gauge is collected first. */
  #looking: Promise<number | undefined> | undefined;

  constructor(
    { registry }: MetricsRegistry,
    private readonly database: Database,
    @Inject(CONFIG) { role }: Config,
  ) {
    const registers = [registry];
    new Gauge({
      name: 'payments_process',
      help: '1, with the role of the process.',
      labelNames: ['role'],
      registers,
    }).set({ role }, 1);
    const lost: Counter = new Counter({
      name: 'payments_log_records_lost_total',
      help: 'Log records of this process that were lost: nobody read them in time, or there was no room for them.',
      registers,
      collect: () => {
        lost.reset();
        lost.inc(standardOutput.lost);
      },
    });
    const connections: Gauge = new Gauge({
      name: 'database_pool_connections',
      help: 'Database connections of this process by pool: in use, and idle.',
      labelNames: ['pool', 'state'],
      registers,
      collect: () => {
        for (const [pool, { total, idle }] of Object.entries(database.poolSizes())) {
          connections.set({ pool, state: 'used' }, total - idle);
          connections.set({ pool, state: 'idle' }, idle);
        }
      },
    });
    const waiting: Gauge = new Gauge({
      name: 'database_pool_waiting',
      help: 'Statements of this process waiting for a connection, by pool.',
      labelNames: ['pool'],
      registers,
      collect: () => {
        for (const [pool, sizes] of Object.entries(database.poolSizes())) waiting.set({ pool }, sizes.waiting);
      },
    });
    const up: Gauge = new Gauge({
      name: 'database_up',
      help: '1 if the database answered during this scrape.',
      registers,
      collect: async () => up.set((await this.#look()) === undefined ? 0 : 1),
    });
    const difference: Gauge = new Gauge({
      name: 'database_clock_difference_seconds',
      help: 'Least difference between the clocks of this process and the database; beyond a second it is not ready.',
      registers,
      collect: async () => difference.set((await this.#look()) ?? 0),
    });
  }

  #look(): Promise<number | undefined> {
    this.#looking ??= inScrape(databaseState(this.database))
      .then(
        ({ clockDifference }) => clockDifference / 1000,
        () => undefined,
      )
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }
}

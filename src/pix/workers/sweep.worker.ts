import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { StandingWork, type WorkResult } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { RailSweep } from '../inbox/rail-sweep.js';
import { PIX_TIMERS, type PixWorker } from './pix-work.js';

const MINUTE_MS = 60_000;

/** Sweeps the rail every minute, and after a restart. */
@Injectable()
export class SweepWorker implements PixWorker, OnApplicationBootstrap {
  readonly #logger = new Logger(SweepWorker.name);

  constructor(
    private readonly sweep: RailSweep,
    @Inject(CONFIG) private readonly config: Config,
    standing: StandingWork,
  ) {
    standing.register({ ...PIX_TIMERS.sweep, missedIn: 'All' });
  }

  onApplicationBootstrap(): void {
    if (this.config.role === 'api') return;
    // The row may not be due for a minute; payments that came in while no process ran must not wait for it.
    this.sweep.run().catch((error: unknown) => this.#logger.warn({ err: error }, 'the sweep after the start failed'));
  }

  async perform(): Promise<WorkResult> {
    try {
      await this.sweep.run();
    } catch (error) {
      this.#logger.warn({ err: error }, 'the sweep of the rail failed; it is retried in a minute');
    }
    return { retryAt: new Date(Date.now() + MINUTE_MS) };
  }
}

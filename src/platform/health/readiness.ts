import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Why the process cannot serve; `undefined` if it can. */
export type ReadinessCheck = () => string | undefined | Promise<string | undefined>;

/** The readiness checks of modules, besides the database: run at each probe, so they must be cheap. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  readonly #checks: ReadinessCheck[] = [];
  #stopping = false;
  /** Partitions that cannot be served now, while others can. */
  partitionsAway: () => readonly number[] = () => [];

  register(check: ReadinessCheck): void {
    this.#checks.push(check);
  }

  /** Whether the process shuts down: it finishes requests in progress and should receive no more. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** All reasons why this process cannot serve. */
  async problems(): Promise<string[]> {
    const found = (await Promise.all(this.#checks.map(async (check) => check()))).filter(
      (problem) => problem !== undefined,
    );
    return this.#stopping ? ['the process is stopping', ...found] : found;
  }

  /** The first step of the shutdown, before connections are closed. */
  onModuleDestroy(): void {
    this.#stopping = true;
  }
}

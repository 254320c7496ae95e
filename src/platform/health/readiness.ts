import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Says what keeps the process from serving; `undefined` when nothing does. */
export type ReadinessCheck = () => string | undefined;

/** What modules know of this process's readiness, beyond the database: asked at each look, so it must cost nothing. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  readonly #checks: ReadinessCheck[] = [];
  #stopping = false;
  /** Partitions that cannot be served just now, while others can. */
  partitionsAway: () => readonly number[] = () => [];

  register(check: ReadinessCheck): void {
    this.#checks.push(check);
  }

  /** Whether this process was told to end: what it has begun it finishes, and nobody should send it more. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** Everything that keeps this process from serving, as it knows by itself. */
  problems(): string[] {
    const found = this.#checks.flatMap((check) => check() ?? []);
    return this.#stopping ? ['the process is stopping', ...found] : found;
  }

  /** The first thing that happens at the end, before connections are closed. */
  onModuleDestroy(): void {
    this.#stopping = true;
  }
}

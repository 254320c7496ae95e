import { sqlState } from '../database/faults.js';

const PAUSE_MS = 1_000;

/** An outage is met again and again: each kind of trouble, by its SQLSTATE, is logged once a second. */
export class LogPauses {
  readonly #loggedAt = new Map<string, number>();

  /** @param what is troubled: one of few, as it is remembered. @returns whether to log it */
  isDue(what: string, error?: unknown): boolean {
    const kind = `${what} ${sqlState(error) ?? (error as Error | undefined)?.name}`;
    const now = performance.now();
    if (now - (this.#loggedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return false;
    this.#loggedAt.set(kind, now);
    return true;
  }
}

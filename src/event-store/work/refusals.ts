import { LEASE_MS } from './held-lease.js';

/**
 * An unbroken series of refused attempts. How long it lasts no clock of a process may say, which may be ahead of
 * another's or be set: between processes the database's says it, within one the monotonic clock.
 */
export class Refusals {
  readonly #readAt = performance.now();

  /** @param lastedMs milliseconds from the first refusal until now */
  constructor(private readonly lastedMs: number) {}

  get lastMs(): number {
    return this.lastedMs + performance.now() - this.#readAt;
  }
}

// An attempt in between whose end is not known breaks the series. Citus takes no `now()` in what an update returns.

/** Of a row that has just been leased for an attempt, which it counts. */
export const REFUSED_MS_OF_LEASED = `
          case when refused_attempt = attempts - 1 and isfinite(refused_since) then greatest(
            extract(epoch from leased_until - refused_since) * 1000 - ${LEASE_MS}, 0)::float8 end as refused_ms`;

/** Of a row before its attempt is counted. */
export const REFUSED_MS = `
          case when refused_attempt = attempts and isfinite(refused_since) then greatest(
            extract(epoch from now() - refused_since) * 1000, 0)::float8 end as refused_ms`;

/** @param lastedMs of a row's `refused_ms` */
export function refusalsOf(lastedMs: number | null): Refusals | null {
  return lastedMs === null ? null : new Refusals(lastedMs);
}

/**
 * SQL of `refused_since`; Citus would not subtract a column from a time with a zone.
 * @param ms SQL of a number, null where the attempt was not refused
 */
export const refusedSince = (ms: string) => `to_timestamp(extract(epoch from now())::float8 - ${ms} / 1000)`;

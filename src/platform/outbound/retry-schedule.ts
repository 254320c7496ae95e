/** Waits before each attempt, in milliseconds, the first before the first attempt. */
export type RetrySchedule = readonly number[];

/** Contract decisions 8. */
export const DEFAULT_RETRY_SCHEDULE = '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h';

/** The setting `WEBHOOK_RETRY_SCHEDULE` is invalid. */
export class InvalidRetrySchedule extends Error {
  override readonly name = 'InvalidRetrySchedule';

  constructor(text: string) {
    super(
      `"${text}" is not a retry schedule: 1 to ${MAX_STEPS} steps of at most 30 days, such as 0s,5s,5m,2h (ms, s, m, h).`,
    );
  }
}

const STEP = /^(\d{1,10})(ms|s|m|h)$/;
const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const MAX_STEPS = 100;
const MAX_STEP_MS = 30 * 24 * 3_600_000;
const JITTER = 0.2;

/**
 * Reads a schedule such as `0s,5s,5m`.
 * @throws InvalidRetrySchedule
 */
export function parseRetrySchedule(text: string): RetrySchedule {
  const steps = text.split(',').map((step) => {
    const [, count, unit] = STEP.exec(step.trim()) ?? [];
    return Number(count) * (UNITS[unit ?? ''] ?? NaN);
  });
  if (steps.length > MAX_STEPS || !steps.every((step) => step <= MAX_STEP_MS)) throw new InvalidRetrySchedule(text);
  return steps;
}

/**
 * The wait in milliseconds before the next attempt, counted from the last one (contract decisions 8):
 * min(max(Retry-After, step), the step after, or the last step where there is none after), ±20 %. The jitter never
 * goes below a `Retry-After` that was within that bound: no attempt is made before the receiver's time.
 * @param attemptsMade attempts so far; 0 for the wait before the first
 * @param random in [0, 1)
 * @returns undefined when the schedule is exhausted
 */
export function nextWaitMs(
  schedule: RetrySchedule,
  attemptsMade: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number | undefined {
  const step = schedule[attemptsMade];
  if (step === undefined) return undefined;
  // Schedules need not increase: a step is never cut by a shorter one after it.
  const bound = Math.max(step, schedule[attemptsMade + 1] ?? step);
  const asked = (retryAfterSeconds ?? 0) * 1_000;
  const wait = Math.min(Math.max(asked, step), bound);
  const shortest = wait * (1 - JITTER);
  const from = asked <= bound ? Math.max(shortest, asked) : shortest;
  return Math.round(from + random * (wait * (1 + JITTER) - from));
}

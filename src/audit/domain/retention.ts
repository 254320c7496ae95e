import { OperationError } from '../../platform/errors/index.js';

/** 422: the retention period is not over. */
export class RetentionPeriodRuns extends OperationError {
  constructor(until: Date, years: number) {
    const day = until.toISOString().slice(0, 10);
    super('RetentionPeriodRuns', `The data must be kept until ${day} (RETENTION_YEARS is ${years}).`, { until: day });
  }
}

/**
 * @param lastEvent time of the last event about a subject; `null` for none
 * @throws RetentionPeriodRuns until the years since then are over
 */
export function assertRetentionOver(lastEvent: Date | null, years: number, now: Date): void {
  if (!lastEvent || years === 0) return;
  const until = new Date(lastEvent);
  until.setUTCFullYear(until.getUTCFullYear() + years);
  if (until > now) throw new RetentionPeriodRuns(until, years);
}

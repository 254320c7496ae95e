import { Logger } from '@nestjs/common';
import { LogContradicted, type WorkItem, type WorkResult } from '../../event-store/index.js';
import { ServiceUnavailable } from '../../platform/errors/index.js';
import { LogPauses } from '../../platform/observability/log-pauses.js';
import { backoff } from './backoff.js';
import { OfAnotherRail, RailUnavailable } from './rail-errors.js';

const logger = new Logger('Rail');
const pauses = new LogPauses();

/** A payment waits no longer than that, whatever a rail asks for. */
const LONGEST_RETRY_AFTER_MS = 60 * 60_000;

/**
 * Makes an attempt; where the rail, or a command, is unavailable the item is retried later, and not before the rail's
 * `Retry-After`.
 */
export async function retriedAtRail(
  item: Pick<WorkItem, 'id' | 'attempts'>,
  attempt: () => Promise<WorkResult>,
): Promise<WorkResult> {
  try {
    return await attempt();
  } catch (error) {
    const pauseMs = pauseAfter(error);
    if (pauseMs === undefined) throw error;
    if (waitsForOperator(error)) logger.error({ err: error, work: item.id }, 'work waits for an operator');
    const { retryAt } = backoff(item.attempts);
    const asked = Math.min(pauseMs, LONGEST_RETRY_AFTER_MS);
    return { retryAt: new Date(Math.max(retryAt.getTime(), Date.now() + asked)) };
  }
}

/** Much may have been begun over another rail: one item of it a second is told. */
function waitsForOperator(error: unknown): boolean {
  return error instanceof LogContradicted || (error instanceof OfAnotherRail && pauses.isDue('another rail'));
}

/** Milliseconds that a fault asks for; `undefined` for one that is not expected to pass. */
function pauseAfter(error: unknown): number | undefined {
  if (error instanceof RailUnavailable) return error.retryAfterMs;
  return error instanceof ServiceUnavailable ? error.retryAfterSeconds * 1000 : undefined;
}

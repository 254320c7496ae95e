import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { backoff } from './backoff.js';
import { RailUnavailable } from './pix-rail.js';

/** A payment waits no longer than that, whatever a rail asks for. */
const LONGEST_RETRY_AFTER_MS = 60 * 60_000;

/** Makes an attempt; where the rail is unavailable the item is retried later, and not before the rail's `Retry-After`. */
export async function retriedAtRail<Item extends Pick<WorkItem, 'attempts'>>(
  item: Item,
  attempt: (item: Item) => Promise<WorkResult>,
): Promise<WorkResult> {
  try {
    return await attempt(item);
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error;
    const { retryAt } = backoff(item.attempts);
    const asked = Math.min(error.retryAfterMs, LONGEST_RETRY_AFTER_MS);
    return { retryAt: new Date(Math.max(retryAt.getTime(), Date.now() + asked)) };
  }
}

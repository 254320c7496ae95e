import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { backoff } from './backoff.js';
import { RailUnavailable } from './pix-rail.js';

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
    return { retryAt: new Date(Math.max(retryAt.getTime(), Date.now() + error.retryAfterMs)) };
  }
}

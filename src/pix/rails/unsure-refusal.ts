import type { Attempt } from '../../event-store/index.js';

/**
 * Since when to count a refusal that the rail's look-up does not contradict. An earlier attempt may have been accepted
 * and its answer lost, and the refusal is then only for the repetition. So a refusal is final only once every attempt
 * has been refused, and nothing was found, for longer than the look-up may lag. The first attempt has none before it,
 * unless its lease was over meanwhile: another process may have made the second one.
 * @returns `undefined` where the refusal is final
 */
export function unsureSince({ attempts, lease, refusedSince }: Attempt, longestLagMs: number): Date | undefined {
  if (attempts === 1 && lease.isCertain) return undefined;
  const now = new Date();
  const since = refusedSince && refusedSince < now ? refusedSince : now;
  return now.getTime() - since.getTime() >= longestLagMs ? undefined : since;
}

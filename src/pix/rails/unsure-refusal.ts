import { type Attempt, Refusals } from '../../event-store/index.js';

/**
 * The series in which a refusal is that the rail's look-up does not contradict. An earlier attempt may have been
 * accepted and its answer lost, and the refusal is then only for the repetition. So a refusal is final only once every
 * attempt has been refused, and nothing was found, for longer than the look-up may lag. The first attempt has none
 * before it, unless its lease was over meanwhile: another process may have made the second one.
 * @returns `undefined` where the refusal is final
 */
export function unsureRefusals({ attempts, lease, refusals }: Attempt, longestLagMs: number): Refusals | undefined {
  if (attempts === 1 && lease.isCertain) return undefined;
  const series = refusals ?? new Refusals(0);
  return series.lastMs >= longestLagMs ? undefined : series;
}

import { expect, it } from '@jest/globals';
import type { BalanceAt, BalanceAtReader } from '../../../audit/index.js';
import type { Database } from '../../../platform/database/index.js';
import { BalanceSeries } from './balance-series.js';

const MINUTE_MS = 60_000;
const BEGAN = Date.parse('2026-11-20T12:00:00.000Z');

/** An account with an entry each minute, of which two more are there with each read: their follower lags. */
function lagging() {
  let reached = 0;
  const read = async (_partition: number, _account: string, at: Date | null): Promise<BalanceAt> => {
    reached += 2;
    const entry = Math.min(reached, at === null ? Infinity : Math.floor((at.getTime() - BEGAN) / MINUTE_MS));
    return { available: BigInt(entry), held: 0n, blocked: 0n, entry, position: BigInt(entry) };
  };
  const query = async ({ values: [, , last, count] }: { values: unknown[] }) =>
    Array.from({ length: count as number }, (_, i) => {
      const number = Number(last) - (count as number) + 1 + i;
      return { number, time: new Date(BEGAN + number * MINUTE_MS), available: number, held: 0, blocked: 0 };
    });
  return new BalanceSeries({ query } as unknown as Database, { read } as unknown as BalanceAtReader);
}

it('has no entry of before its period, however fast a follower that lagged catches up', async () => {
  const from = new Date(BEGAN + 3.5 * MINUTE_MS);
  const { before, points } = await lagging().read(1, 'account', { from }, 100);
  expect(before.entry).toBe(3);
  expect(points.filter(({ at }) => at < from)).toEqual([]);
});

import { expect, it } from '@jest/globals';
import type { Partitions } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import { Totals } from './totals.js';

const DAY_MS = 86_400_000;
const PARTITIONS = [1, 2, 3, 4];

it('reads latencies of years some days at a time: all of their buckets would not fit into memory', async () => {
  const [from, to] = [new Date('2016-11-20T00:00:00Z'), new Date('2026-11-20T00:00:00Z')];
  const asked: (readonly [partition: number, from: Date, to: Date])[] = [];
  const query = async ({ values }: { values: [number, string, Date, Date] }) => {
    const [partition, , at, end] = values;
    asked.push([partition, at, end]);
    return [{ at, type: 'CashOut', latencies: [[40, partition]] }];
  };
  const ask = async (all: readonly number[], question: (partition: number) => Promise<unknown>) => ({
    found: await Promise.all(all.map(async (one) => [one, await question(one)])),
    away: [],
  });
  const totals = new Totals({ query } as unknown as Database, { all: () => PARTITIONS, ask } as unknown as Partitions);
  let counted = 0;
  for await (const { steps } of totals.latencyOfSteps({ from, to, step: 'day' })) {
    expect(new Set(steps.map(({ at }) => at.getTime())).size).toBe(1);
    counted += steps.reduce((sum, { count }) => sum + count, 0);
  }
  const ofFirst = asked.filter(([partition]) => partition === 1);
  expect(Math.max(...ofFirst.map(([, at, end]) => end.getTime() - at.getTime()))).toBeLessThanOrEqual(50 * DAY_MS);
  // Each begins where the one before it ends.
  expect(ofFirst.map(([, at]) => at)).toEqual([from, ...ofFirst.slice(0, -1).map(([, , end]) => end)]);
  expect(ofFirst.at(-1)![2]).toEqual(to);
  expect(counted).toBe(ofFirst.length * 10);
});

import { describe, expect, it } from '@jest/globals';
import { addTotals, latencyBucket, latencyOf } from './totals.js';

describe('the bucket of a latency', () => {
  it('represents a time that is less than a tenth away', () => {
    for (const milliseconds of [1, 2, 3, 7, 10, 99, 150, 1_000, 3_600_000, 90 * 86_400_000]) {
      const represented = latencyOf(latencyBucket(milliseconds));
      // Times are whole milliseconds.
      expect(Math.abs(represented - milliseconds)).toBeLessThanOrEqual(Math.max(0.5, milliseconds / 10));
    }
    expect(latencyBucket(0)).toBe(0);
    expect(latencyBucket(-5)).toBe(0);
  });
});

describe('totals', () => {
  const transition = (at: string, state: string, amount: bigint) => ({
    type: 'CashOut',
    state,
    amount,
    at: new Date(at),
    registeredAt: new Date('2026-11-20T14:04:59.900Z'),
  });

  it('are summed by minute, hour and day, state and latency', () => {
    const { values } = addTotals(1, [
      transition('2026-11-20T14:04:59.900Z', 'Registered', 100n),
      transition('2026-11-20T14:05:00.000Z', 'Completed', 100n),
      transition('2026-11-20T14:05:00.000Z', 'Completed', 50n),
    ]);
    const [, steps, times, , states, latencies, counts, amounts] = values as [number, ...unknown[][]];
    const rows = steps!.map((step, i) => [
      step,
      (times![i] as Date).toISOString(),
      states![i],
      latencies![i],
      counts![i],
      amounts![i],
    ]);
    const hundred = latencyBucket(100);
    expect(rows).toEqual([
      ['minute', '2026-11-20T14:04:00.000Z', 'Registered', -1, 1, 100n],
      ['minute', '2026-11-20T14:05:00.000Z', 'Completed', hundred, 2, 150n],
      ['hour', '2026-11-20T14:00:00.000Z', 'Registered', -1, 1, 100n],
      ['hour', '2026-11-20T14:00:00.000Z', 'Completed', hundred, 2, 150n],
      ['day', '2026-11-20T00:00:00.000Z', 'Registered', -1, 1, 100n],
      ['day', '2026-11-20T00:00:00.000Z', 'Completed', hundred, 2, 150n],
    ]);
  });
});

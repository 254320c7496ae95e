import { describe, expect, it } from '@jest/globals';
import type { RailMovement } from '../../rails/pix-rail.js';
import { Comparison } from './comparison.js';

const atRail = (id: string, amount: bigint) => ({ kind: 'PaymentOut', id, amount }) as RailMovement;
const ours = (id: string, amount: bigint) => ({ kind: 'PaymentOut', id, amount, transactionId: `t-${id}` }) as const;

describe('the comparison of a day', () => {
  it('finds a movement that the two sides have in different hours', () => {
    const day = new Comparison();
    day.add([atRail('E1', 100n), atRail('E2', 200n)], [ours('E3', 300n)]);
    day.add([atRail('E3', 300n)], [ours('E1', 100n), ours('E2', 201n)]);
    expect(day.mismatches).toEqual([{ kind: 'PaymentOut', id: 'E2', transactionId: 't-E2', rail: 200n, ledger: 201n }]);
    expect(day.mismatched).toBe(1);
    expect(day.rail.PaymentOut).toEqual({ count: 3, amount: 600n });
  });

  it('counts a movement that the rail lists twice once', () => {
    const day = new Comparison();
    day.add([atRail('E1', 100n), atRail('E1', 100n)], [ours('E1', 100n)]);
    expect([day.mismatches, day.rail.PaymentOut.count]).toEqual([[], 1]);
  });

  it('finds a movement that the ledger has twice, as where a payment was credited to two deposits', () => {
    const [once, twice] = [new Comparison(), new Comparison()];
    once.add([atRail('E1', 100n)], [ours('E1', 100n), ours('E1', 100n)]);
    twice.add([atRail('E1', 100n)], [ours('E1', 100n)]);
    twice.add([], [ours('E1', 100n)]);
    expect(once.mismatches).toMatchObject([{ id: 'E1', rail: 100n, ledger: 200n }]);
    expect([once.mismatched, twice.mismatched]).toEqual([1, 1]);
  });
});

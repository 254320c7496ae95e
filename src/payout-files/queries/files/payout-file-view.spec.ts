import { describe, expect, it } from '@jest/globals';
import type { PayoutFile } from '../../domain/payout-file.js';
import { showFile } from './payout-file-view.js';

describe('the view of a payout file', () => {
  it('shows no negative amount while payouts end that are not recorded yet', () => {
    const file = {
      state: 'Running',
      lines: 350,
      amount: 150_196_00n,
      ...{ registered: 200, registeredAmount: 196_00n, refused: 0, refusedAmount: 0n },
      acceptedAt: new Date(),
      endedAt: null,
    } as PayoutFile;
    const { counts, amounts } = showFile(file, new Map([['Completed', { count: 150, amount: 150_000_00n }]]));
    expect([counts.registered, amounts.registered]).toEqual([50, '0.00']);
    expect([counts.waiting, amounts.waiting]).toEqual([150, '196.00']);
  });
});

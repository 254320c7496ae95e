import { describe, expect, it } from '@jest/globals';
import { attempt } from '../../../test/support/attempt.js';
import { HeldLease } from '../../event-store/index.js';
import type { SentOver } from '../domain/events/index.js';
import type { PixRail, RefundOutcome } from '../rails/pix-rail.js';
import { RailUnavailable } from '../rails/rail-errors.js';
import { refundOrQuery } from './refund-or-query.js';

const instruction = { returnId: 'D1', endToEndId: 'E1', amount: 100n, code: 'MD06' as const };
const refused: RefundOutcome = { status: 'Rejected', at: new Date(0), code: 'PixNaoEncontrado' };

/** A rail at which nobody has heard of the refund: it refuses it. */
function strange(asked: string[]): PixRail {
  const rail: Pick<PixRail, 'name' | 'psp' | 'refund' | 'queryRefund'> = {
    name: 'bcb',
    psp: 'pix.b.example',
    async queryRefund() {
      asked.push('queryRefund');
      return { status: 'Unknown' };
    },
    async refund() {
      asked.push('refund');
      return refused;
    },
  };
  return rail as PixRail;
}

describe.each([1, 2])('a refund, attempt %d', (attempts) => {
  const over = (begunOver: SentOver | undefined, asked: string[] = []) =>
    refundOrQuery(strange(asked), instruction, begunOver, attempt(attempts));

  it.each([
    ['rail', { rail: 'efi', psp: 'pix.b.example' }],
    ['PSP', { rail: 'bcb', psp: 'pix.a.example' }],
  ])('of another %s waits for that one, and this one hears nothing of it', async (_what, begunOver) => {
    const asked: string[] = [];
    await expect(over(begunOver, asked)).rejects.toThrow(RailUnavailable);
    expect(asked).toEqual([]);
  });

  it.each<[string, SentOver | undefined]>([
    ['this one', { rail: 'bcb', psp: 'pix.b.example' }],
    ['a rail whose PSP no event named yet', { rail: 'bcb' }],
    ['one that no event named yet', undefined],
  ])('of %s is ended by what the rail says', async (_what, begunOver) => {
    expect(await over(begunOver)).toEqual(refused);
  });

  it('whose lease may be over is not sent: another one may have ended it', async () => {
    const asked: string[] = [];
    const late = new HeldLease('late', [performance.now() - 4_000, Date.now()]);
    const made = { ...attempt(attempts), lease: late };
    expect(await refundOrQuery(strange(asked), instruction, undefined, made)).toEqual({ status: 'Pending' });
    expect(asked).not.toContain('refund');
  });
});

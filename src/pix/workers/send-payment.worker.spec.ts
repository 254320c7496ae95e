import { describe, expect, it } from '@jest/globals';
import { attempt } from '../../../test/support/attempt.js';
import type { WorkItem } from '../../event-store/index.js';
import type { SentAs } from '../domain/events/index.js';
import { RailUnavailable } from '../rails/rail-errors.js';
import { SendPaymentWorker } from './send-payment.worker.js';

type Parts = ConstructorParameters<typeof SendPaymentWorker>;

/** The second attempt of a payout that was begun as told, by a worker of the rail `efi` at `conta-b`. */
async function queried(sentAs: SentAs): Promise<string[]> {
  const asked: string[] = [];
  const rail = {
    name: 'efi',
    psp: 'conta-b',
    capabilities: { sends: true, namesPayments: {}, identifiesPayer: 'No' },
    async query(paymentId: string) {
      asked.push(paymentId);
      return { status: 'Pending' };
    },
  };
  const located = { transaction: { id: 'p', state: 'Registered', endToEndId: null, details: { sentAs } } };
  const worker = new SendPaymentWorker(
    { execute: async () => undefined } as unknown as Parts[0],
    { fromLog: async () => located } as unknown as Parts[1],
    // The recipient was forgotten: nothing can be sent, and the rail is only asked.
    { of: async () => ({}) } as unknown as Parts[2],
    {} as Parts[3],
    {} as Parts[4],
    rail as unknown as Parts[5],
    {} as Parts[6],
  );
  await worker.perform({ subject: 'p', ...attempt(2) } as WorkItem);
  return asked;
}

describe('a payout that was begun', () => {
  it.each([
    ['at this PSP', { rail: 'efi', psp: 'conta-b', paymentId: 'p' }],
    ['before events named PSPs', { rail: 'efi', paymentId: 'p' }],
  ])('%s is asked after', async (_when, sentAs) => {
    expect(await queried(sentAs)).toEqual(['p']);
  });

  it.each([
    ['over another rail', { rail: 'other', psp: 'conta-b', paymentId: 'p' }],
    ['at another account of the same PSP', { rail: 'efi', psp: 'conta-a', paymentId: 'p' }],
  ])('%s waits for that one', async (_when, sentAs) => {
    await expect(queried(sentAs)).rejects.toThrow(RailUnavailable);
  });
});

import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { RailUnavailable } from '../rails/pix-rail.js';

/** Kinds of intentions of this module. Each stands in the work table under an id that follows from its cause. */
export const PIX_WORK = {
  /** Ask DICT for the owner of a cash-out's key. Id: that of the registering event. */
  resolveKey: 'pix-resolve-key',
  /** Hand a cash-out to the rail, and ask until it has ended. Id: the transaction's. */
  sendPayment: 'pix-send-payment',
  /** Close an unpaid cash-in when its time is over. Id: the transaction's. */
  expireCashIn: 'pix-expire-cash-in',
  /** Hand a partner's refund to the rail, and ask until it has ended. Id: the transaction's. */
  sendRefund: 'pix-send-refund',
  /** Give back a payment that did not fit. Id: that of the event that took it in. */
  returnPayment: 'pix-return-payment',
} as const;

/** What `returnPayment` carries. */
export interface PaymentToReturn {
  /** Ours, `D…`. */
  readonly returnId: string;
  readonly endToEndId: string;
  /** Centavos in decimal text. */
  readonly amount: string;
  readonly transactionId: string | null;
}

/** Does one kind of work. @throws RailUnavailable, and the item is put off: see `performAtRail` */
export interface PixWorker {
  perform(item: WorkItem): Promise<WorkResult>;
}

/** Has an item worked on; where the rail cannot be asked, it is put off. */
export async function performAtRail(worker: PixWorker, item: WorkItem): Promise<WorkResult> {
  try {
    return await worker.perform(item);
  } catch (error) {
    if (error instanceof RailUnavailable) {
      const { retryAt } = askAgain(item.attempts);
      return { retryAt: new Date(Math.max(retryAt.getTime(), Date.now() + error.retryAfterMs)) };
    }
    throw error;
  }
}

const PAUSES_S = [1, 2, 5, 10, 30, 60];

/** When to ask the rail again: ever later, at most a minute; never at all would leave money in the air. */
export function askAgain(attempts: number): { readonly retryAt: Date } {
  const pause = PAUSES_S[Math.min(attempts, PAUSES_S.length) - 1] ?? PAUSES_S[0]!;
  return { retryAt: new Date(Date.now() + pause * 1000) };
}

import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { askAgain } from '../rails/ask-again.js';
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

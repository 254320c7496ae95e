import type { WorkItem, WorkResult } from '../../event-store/index.js';
import { TIMER_IDS } from './timer-ids.js';

/** Kinds of work of this module. An item's id in the work table follows from its cause. */
export const PIX_WORK = {
  /** Look up the owner of a cash-out's key in DICT. Id: that of the registering event. */
  resolveKey: 'pix-resolve-key',
  /** Send a cash-out, and query the rail until it has ended. Id: the transaction's. */
  sendPayment: 'pix-send-payment',
  /** Close an unpaid cash-in when it expires. Id: the transaction's. */
  expireCashIn: 'pix-expire-cash-in',
  /** Send a partner's refund, and query the rail until it has ended. Id: the transaction's. */
  sendRefund: 'pix-send-refund',
  /** Release what is still blocked of a deposit when its hold expires. Id: the hold's. */
  expireHold: 'pix-expire-hold',
  /** Return a payment that did not fit. Id: that of the event that recorded it. */
  returnPayment: 'pix-return-payment',
} as const;

/** Work that never ends: one row each, whatever the number of processes. */
export const PIX_TIMERS = {
  sweep: { kind: 'pix-sweep', id: TIMER_IDS.sweep },
  reconcile: { kind: 'pix-reconcile', id: TIMER_IDS.reconcile },
  /** Only where the rail takes few payments at once: the process that holds its lease dispatches them. */
  dispatcher: { kind: 'pix-sending-line', id: TIMER_IDS.dispatcher },
} as const;

/** Does one kind of work. @throws RailUnavailable, and the item is retried later: see `retriedAtRail` */
export interface PixWorker {
  perform(item: WorkItem): Promise<WorkResult>;
}

import { TIMER_IDS } from '../../pix/index.js';

/** Kinds of work of this module. */
export const MED_WORK = {
  /** A case's deadlines, and a look at it every day. Id: the case's. */
  case: 'med-case',
  /**
   * Something happened that may move a case on. Id: that of the event; it is a hint, and each case is looked at daily.
   */
  wake: 'med-wake',
  /** Tell the rail what was said or decided. Id: that of the event. */
  answer: 'med-answer',
  /** Open a recovery, and ask until it has ended. Id: the recovery's. */
  recovery: 'med-recovery',
} as const;

/** Asks the rail for reports that changed, over and over: one row, whatever the number of processes. */
export const MED_SWEEP = { kind: 'med-sweep', id: TIMER_IDS.medSweep } as const;

/**
 * What the subject is. An agreement is looked at again while a rail may give money back by itself; a deposit may have
 * several cases.
 */
export interface Wake {
  readonly of: 'Hold' | 'Infraction' | 'Agreement' | 'Deposit';
  /** Rows of earlier versions do not name it. */
  readonly partnerUid?: string;
}

import { defineEvent, type Personal } from '../../event-store/index.js';
import type { FraudReason } from '../../pix/index.js';

/** Streams are `infraction-<id>`. Amounts are centavos in decimal text, dates ISO text in UTC. */

interface OfInfraction {
  id: string;
  partnerUid: string;
  accountUid: string;
  /** The deposit that is contested. */
  transactionId: string;
}

/** What the account's holder says to a report. */
export interface Defence {
  readonly text: string;
  readonly links: readonly string[];
}

export const InfractionReported = defineEvent<
  OfInfraction & {
    endToEndId: string;
    rail: string;
    /** The operator's name for the account at its PSP. Absent where the rail has none, and in earlier events. */
    psp?: string;
    /** The rail's: one report. */
    railId: string;
    reason: FraudReason;
    /** The payer's words, as the rail gives them. */
    details?: Personal<string>;
    /** What is asked back, of what was still there to be given back. */
    amount: string;
    /** Placed in the same commit; absent where nothing is left to be given back. */
    holdId?: string;
    reportedAt: string;
    /** By when a defence is heard, the analysis has to end, and money may still go back. */
    defenceUntil: string;
    decideUntil: string;
    returnUntil: string;
  }
>()('InfractionReported', 'The payer of a deposit says that it was fraud: what is there of it is blocked.');

export const InfractionDefended = defineEvent<OfInfraction & { defence: Personal<Defence> }>()(
  'InfractionDefended',
  'The partner defended a deposit that is contested.',
);

export const InfractionOverdue = defineEvent<OfInfraction>()(
  'InfractionOverdue',
  'The analysis of a report should have ended. Its money stays blocked until somebody decides.',
);

export const InfractionAgreed = defineEvent<OfInfraction & { amount: string; note?: Personal<string> }>()(
  'InfractionAgreed',
  'The report is right: its money goes back to the payer, as far as there is any.',
);

export const InfractionRejected = defineEvent<OfInfraction & { note?: Personal<string> }>()(
  'InfractionRejected',
  'The report is wrong: its money is available again. Final.',
);

export const InfractionCancelled = defineEvent<OfInfraction>()(
  'InfractionCancelled',
  "The payer's institution took a report back. Final, but for a return that is under way.",
);

/** Its causation is the event of the defence, or of the decision. */
export const InfractionAnswered = defineEvent<OfInfraction & { with: 'Defence' | 'Decision' }>()(
  'InfractionAnswered',
  'The rail has the defence, or the decision.',
);

export const MedReturnRegistered = defineEvent<OfInfraction & { refundId: string; returnId: string; amount: string }>()(
  'MedReturnRegistered',
  'Blocked money of a report is on its way back to the payer.',
);

export const MedReturnCompleted = defineEvent<OfInfraction & { refundId: string; amount: string }>()(
  'MedReturnCompleted',
  'Money of a report is back at the payer.',
);

export const MedReturnErrored = defineEvent<
  OfInfraction & {
    refundId: string;
    amount: string;
    /** The rail's code. */
    reason: string;
    /** Before that no other return is tried. */
    retryAt: string;
  }
>()('MedReturnErrored', 'The rail refused to give money of a report back: it is blocked again.');

export const INFRACTION_ENDINGS = ['Returned', 'PeriodEnded', 'NothingLeft'] as const;
export type InfractionEnding = (typeof INFRACTION_ENDINGS)[number];

export const InfractionClosed = defineEvent<OfInfraction & { ending: InfractionEnding }>()(
  'InfractionClosed',
  'No more money goes back for a report. Final.',
);

import { defineEvent, type Personal } from '../../event-store/index.js';
import type { FraudReason } from '../../pix/index.js';

/** Streams are `recovery-<id>`. Amounts are centavos in decimal text. */

interface OfRecovery {
  id: string;
  partnerUid: string;
  accountUid: string;
  /** The payout. */
  transactionId: string;
}

export const RecoveryRequested = defineEvent<
  OfRecovery & {
    endToEndId: string;
    reason: FraudReason;
    /** The partner's words. */
    details: Personal<string>;
    /** What was paid and has not come back. */
    amount: string;
  }
>()('RecoveryRequested', "A partner asks for a payout's money back: it was fraud.");

export const RecoveryOpened = defineEvent<OfRecovery>()('RecoveryOpened', 'The rail has the request for a recovery.');

export const RecoveryAccepted = defineEvent<OfRecovery & { amount: string }>()(
  'RecoveryAccepted',
  "The payee's institution agreed: money that it gives back comes as a refund of the payout. Final.",
);

export const RecoveryRefused = defineEvent<OfRecovery & { code: string }>()(
  'RecoveryRefused',
  "The payee's institution, or the rail, refused a recovery. Final.",
);

import type { Transaction } from '../../accounts/index.js';
import type { NewEvent, Personal } from '../../event-store/index.js';
import { type CashOutDetails, detailsOf, type FraudReason, type RecoveryOutcome } from '../../pix/index.js';
import { daysBetween } from '../../platform/sao-paulo.js';
import { RECOVERY_DAYS } from './deadlines.js';
import { NothingToRecover, RecoveryPeriodExpired } from './errors.js';
import { RecoveryAccepted, RecoveryOpened, RecoveryRefused, RecoveryRequested } from './recovery.events.js';
import { isUnderWay, type Recovery } from './recovery.js';

export interface RecoveryRequest {
  readonly id: string;
  readonly reason: FraudReason;
  readonly details: Personal<string>;
}

/** Asks for what a completed payout paid and has not come back. @throws NothingToRecover, RecoveryPeriodExpired */
export function requestRecovery(
  payout: Transaction,
  partnerUid: string,
  { id, reason, details }: RecoveryRequest,
  at: Date,
): readonly NewEvent[] {
  const completedAt = payout.stateDates.Completed;
  if (payout.state !== 'Completed' || completedAt === undefined) throw new NothingToRecover(payout.state);
  if (daysBetween(new Date(completedAt), at) > RECOVERY_DAYS) throw new RecoveryPeriodExpired(RECOVERY_DAYS);
  const left = payout.amount - BigInt(detailsOf<CashOutDetails>(payout).refunded);
  if (left === 0n) throw new NothingToRecover(payout.state);
  return [
    RecoveryRequested.create(`recovery-${id}`, 1, {
      id,
      partnerUid,
      accountUid: payout.accountUid,
      transactionId: payout.id,
      endToEndId: payout.endToEndId!,
      reason,
      details,
      amount: left.toString(),
    }),
  ];
}

/** What the rail says of a recovery; one that has ended stays as it is. */
export function followRecovery(recovery: Recovery, partnerUid: string, outcome: RecoveryOutcome): readonly NewEvent[] {
  const { id, accountUid, transactionId, version, status } = recovery;
  if (!isUnderWay(recovery) || outcome.status === 'Unknown') return [];
  const common = { id, partnerUid, accountUid, transactionId };
  const place = [`recovery-${id}`, version + 1] as const;
  switch (outcome.status) {
    case 'Pending':
      return status === 'Requested' ? [RecoveryOpened.create(...place, common)] : [];
    case 'Accepted':
      return [RecoveryAccepted.create(...place, { ...common, amount: outcome.amount.toString() })];
    case 'Refused':
      return [RecoveryRefused.create(...place, { ...common, code: outcome.code })];
  }
}

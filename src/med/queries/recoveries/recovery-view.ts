import { ApiProperty } from '@nestjs/swagger';
import { type FraudReason, FRAUD_REASONS } from '../../../pix/index.js';
import { AMOUNT, MOMENT, UUID } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { type Recovery, RECOVERY_STATES, type RecoveryStatus } from '../../domain/recovery.js';

/** A request for the money of a payout, as its partner sees it. */
export class RecoveryView {
  @ApiProperty(UUID) readonly id: string;
  /** The payout */
  @ApiProperty(UUID) readonly transactionId: string;
  readonly endToEndId: string;
  @ApiProperty({ enum: FRAUD_REASONS, enumName: 'FraudReason' }) readonly reason: FraudReason;
  /** The partner's words; `null` once they were forgotten */
  readonly details: string | null;
  /** What is asked for */
  @ApiProperty(AMOUNT) readonly amount: string;
  @ApiProperty({ enum: RECOVERY_STATES, enumName: 'RecoveryStatus' }) readonly status: RecoveryStatus;
  /** What the payee's institution agreed to; the money comes as refunds of the payout */
  @ApiProperty({ ...AMOUNT, nullable: true }) readonly accepted: string | null;
  /** Why it was refused */
  readonly refusalCode: string | null;
  /** When each state was reached */
  @ApiProperty({ type: 'object', additionalProperties: MOMENT })
  readonly stateDates: Readonly<Partial<Record<RecoveryStatus, string>>>;
}

export function showRecovery(recovery: Recovery, details: string | null): RecoveryView {
  const { id, transactionId, endToEndId, reason, status, refusalCode, stateDates } = recovery;
  return {
    id,
    transactionId,
    endToEndId,
    reason,
    details,
    amount: formatAmount(recovery.amount),
    status,
    accepted: recovery.accepted === null ? null : formatAmount(recovery.accepted),
    refusalCode,
    stateDates,
  };
}

export const RECOVERY_EXAMPLE: RecoveryView = {
  id: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  transactionId: '0199d1f0-7c3b-7001-8a4e-3f1d2b5c6a7e',
  endToEndId: 'E1234567820261120140400000000001',
  reason: 'Scam',
  details: 'The supplier never existed.',
  amount: '100.00',
  status: 'Requested',
  accepted: null,
  refusalCode: null,
  stateDates: { Requested: '2026-11-20T14:04:05.123Z' },
};

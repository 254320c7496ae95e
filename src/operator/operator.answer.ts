import { ApiProperty } from '@nestjs/swagger';
import { HOLD_STATUSES } from '../accounts/index.js';
import { CASE_KINDS, CASE_STATUSES, MOVEMENT_KINDS, type ReconciliationCase } from '../pix/index.js';
import { AMOUNT, UUID, WHOLE } from '../platform/http/index.js';

export class CreditView {
  @ApiProperty(UUID) readonly id: string;
  /** The account */
  @ApiProperty(UUID) readonly uid: string;
  @ApiProperty(AMOUNT) readonly amount: string;
  readonly date: Date;
}

/** What left a hold. */
export class HoldMovementView {
  /** The hold */
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty(AMOUNT) readonly amount: string;
  /** Of the hold after it */
  @ApiProperty({ enum: HOLD_STATUSES, enumName: 'HoldStatus' }) readonly status: (typeof HOLD_STATUSES)[number];
  readonly date: Date;
}

/** Movements of one kind. */
export class TotalView {
  @ApiProperty(WHOLE) readonly count: number;
  @ApiProperty(AMOUNT) readonly amount: string;
}

/** A day's totals on one side. */
export class ReconciledSide {
  readonly PaymentIn: TotalView;
  readonly PaymentOut: TotalView;
  readonly RefundIn: TotalView;
  readonly RefundOut: TotalView;
}

/** A movement that differs between the two sides; `null` where a side does not have it. */
export class MismatchView {
  @ApiProperty({ enum: MOVEMENT_KINDS, enumName: 'MovementKind' })
  readonly kind: keyof ReconciledSide;
  /** EndToEndId, or identifier of the return */
  readonly id: string;
  @ApiProperty(UUID) readonly transactionId: string | null;
  @ApiProperty(AMOUNT) readonly rail: string | null;
  @ApiProperty(AMOUNT) readonly ledger: string | null;
}

export class ReconciliationView {
  @ApiProperty({ format: 'date' }) readonly date: string;
  readonly from: Date;
  readonly to: Date;
  readonly matches: boolean;
  readonly rail: ReconciledSide;
  readonly ledger: ReconciledSide;
  /** How many there are; the list holds the first thousand */
  @ApiProperty(WHOLE) readonly mismatched: number;
  readonly mismatches: MismatchView[];
}

/** A difference between rail and ledger that the nightly reconciliation found; `null` where a side does not have it. */
export class ReconciliationCaseView {
  @ApiProperty(UUID) readonly id: string;
  /** The day that was compared */
  @ApiProperty({ format: 'date' }) readonly day: string;
  @ApiProperty({ enum: CASE_KINDS, enumName: 'CaseKind' }) readonly kind: ReconciliationCase['kind'];
  /** EndToEndId, or identifier of the return; of a balance the time at which it was read */
  readonly reference: string;
  @ApiProperty(UUID) readonly transactionId: string | null;
  @ApiProperty(AMOUNT) readonly rail: string | null;
  @ApiProperty(AMOUNT) readonly ledger: string | null;
  @ApiProperty({ enum: CASE_STATUSES, enumName: 'CaseStatus' }) readonly status: ReconciliationCase['status'];
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  /** `operator:` and the name */
  readonly closedBy: string | null;
  readonly note: string | null;
}

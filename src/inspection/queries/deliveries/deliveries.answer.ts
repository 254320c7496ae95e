import { ApiProperty } from '@nestjs/swagger';
import { TRANSACTION_STATE, type TransactionState } from '../../../accounts/index.js';
import { AMOUNT, MOMENT, UUID, WHOLE } from '../../../platform/http/index.js';
import {
  ATTEMPT_ERROR,
  CircuitView,
  DELIVERY_STATUS,
  type DeliveryStatus,
  HostCounts,
} from '../../../webhooks/index.js';

/** A delivery with its last attempt. */
export class FailingDeliveryView {
  @ApiProperty(UUID) readonly id: string;
  /** `null` for a test, and for a notification of an account */
  @ApiProperty(UUID) readonly transactionId: string | null;
  /** It, the order and the amount are `null` for a notification of an account */
  @ApiProperty(TRANSACTION_STATE) readonly transactionState: TransactionState | null;
  readonly orderId: string | null;
  @ApiProperty(AMOUNT) readonly amount: string | null;
  /** What a notification of an account tells, such as `hold.placed`; `null` for others */
  readonly type: string | null;
  @ApiProperty(UUID) readonly accountUid: string;
  /** `null` if the person was forgotten; the partner's too */
  readonly accountName: string | null;
  @ApiProperty(UUID) readonly partnerUid: string;
  readonly partnerName: string | null;
  @ApiProperty(DELIVERY_STATUS) readonly status: DeliveryStatus;
  readonly url: string;
  readonly host: string;
  /** Number of attempts */
  @ApiProperty(WHOLE) readonly attempts: number;
  @ApiProperty(MOMENT) readonly lastAttemptAt: string | null;
  @ApiProperty(WHOLE) readonly httpStatus: number | null;
  @ApiProperty(ATTEMPT_ERROR) readonly error: string | null;
  @ApiProperty(MOMENT) readonly nextAttemptAt: Date | null;
  /** The open circuit that holds it back; `null` for none */
  readonly circuit: CircuitView | null;
}

export class FailingDeliveryPage {
  readonly items: FailingDeliveryView[];
  readonly nextCursor: string | null;
  /** Hosts of all deliveries, whatever the filters */
  readonly hosts: HostCounts[];
  @ApiProperty({ type: 'array', items: WHOLE }) readonly partitionsAway: number[];
}

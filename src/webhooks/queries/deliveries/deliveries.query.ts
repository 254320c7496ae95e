import { Query } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { TRANSACTION_STATE, type TransactionState } from '../../../accounts/index.js';
import { MOMENT, type Page, UUID, WHOLE } from '../../../platform/http/index.js';
import { ATTEMPT_ERRORS, type AttemptErrorCode } from '../../../platform/outbound/attempt-error.js';
import { type Attempt, DELIVERY_STATUSES, type DeliveryStatus } from '../../domain/delivery.js';

export const DELIVERY_STATUS = { enum: DELIVERY_STATUSES, enumName: 'DeliveryStatus' };
/** Why an attempt failed, other than by its status. */
export const ATTEMPT_ERROR = { enum: Object.keys(ATTEMPT_ERRORS), enumName: 'AttemptError' };

export class AttemptView implements Attempt {
  /** From 1, over redeliveries too. */
  @ApiProperty(WHOLE) readonly number: number;
  @ApiProperty(MOMENT) readonly startedAt: string;
  @ApiProperty(WHOLE) readonly durationMs: number;
  /** `null` where no answer came. */
  @ApiProperty(WHOLE) readonly httpStatus: number | null;
  /** `null` where an answer came whole. */
  @ApiProperty(ATTEMPT_ERROR) readonly error: AttemptErrorCode | null;
}

/** An entry of the delivery log, decisions 5. */
export class DeliveryView {
  @ApiProperty(UUID) readonly id: string;
  /** `null` for a test, and for a notification of an account. */
  @ApiProperty(UUID) readonly transactionId: string | null;
  /** `null` for a notification of an account. */
  @ApiProperty(TRANSACTION_STATE) readonly transactionState: TransactionState | null;
  /** What a notification of an account tells, such as `hold.placed`; `null` for others. */
  readonly type: string | null;
  readonly url: string;
  @ApiProperty(DELIVERY_STATUS) readonly status: DeliveryStatus;
  /** `null` when there is none, or while it waits for the one before it. */
  @ApiProperty(MOMENT) readonly nextAttemptAt: string | null;
  /** Oldest first. */
  readonly attempts: AttemptView[];
}

export interface DeliveryFilters {
  readonly transactionId?: string;
  readonly status?: DeliveryStatus;
}

/** The reader of lists that operators and auditors ask for: they share their turns. */
export const BACK_OFFICE = 'back office';

/** An account's deliveries, newest first. */
export class ListDeliveries extends Query<Page<DeliveryView>> {
  /** @param reader whose turn the read is: the partner's, or `BACK_OFFICE` */
  constructor(
    readonly reader: string,
    readonly accountUid: string,
    readonly filters: DeliveryFilters,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

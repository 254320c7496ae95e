import { ApiProperty } from '@nestjs/swagger';
import {
  TRANSACTION_STATE,
  TRANSACTION_TYPE,
  type TransactionState,
  type TransactionType,
} from '../../accounts/index.js';
import { AMOUNT, MOMENT, type Page, UUID, WHOLE } from '../../platform/http/index.js';

/** A transaction found by a back-office search. */
export class FoundTransaction {
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty(WHOLE) readonly partition: number;
  @ApiProperty(UUID) readonly partnerUid: string;
  /** `null` if the person was forgotten; the two names below too */
  readonly partnerName: string | null;
  @ApiProperty(UUID) readonly accountUid: string;
  readonly accountName: string | null;
  /** The other account of a transfer */
  @ApiProperty(UUID) readonly counterpartyUid: string | null;
  /** The other account's holder, or the payer or payee */
  readonly counterpartyName: string | null;
  @ApiProperty(TRANSACTION_TYPE) readonly type: TransactionType;
  @ApiProperty(TRANSACTION_STATE) readonly state: TransactionState;
  @ApiProperty(AMOUNT) readonly amount: string;
  @ApiProperty(AMOUNT) readonly charges: string;
  readonly orderId: string | null;
  readonly endToEndId: string | null;
  @ApiProperty(UUID) readonly refundOf: string | null;
  readonly errorReason: string | null;
  @ApiProperty(MOMENT) readonly registeredAt: string;
  /** Time of its present state */
  @ApiProperty(MOMENT) readonly changedAt: string;
}

/** A page of the partitions that answered. */
export class SearchPage implements Page<FoundTransaction> {
  @ApiProperty({ type: [FoundTransaction] }) readonly items: readonly FoundTransaction[];
  readonly nextCursor: string | null;
  @ApiProperty({ type: 'array', items: WHOLE }) readonly partitionsAway: readonly number[];
}

import { ApiProperty } from '@nestjs/swagger';
import { done, type Envelope, incomplete, MOMENT, UUID } from '../../../platform/http/index.js';
import type { AcceptedTransfer } from '../transfer-append.js';

const LOCAL = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$`;

export class TransferAnswer {
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty({ pattern: LOCAL, description: 'UTC, without a zone; absent while it is scheduled' })
  readonly settlementDate?: string;

  /** Of a transfer that is scheduled, as the next ones */
  @ApiProperty(MOMENT) readonly scheduledFor?: string;
  @ApiProperty(MOMENT) readonly retryUntil?: string;
  @ApiProperty({ enum: ['Scheduled'] }) readonly state?: 'Scheduled';
}

export const TRANSFER_EXAMPLE: TransferAnswer = {
  id: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  settlementDate: '2026-11-20T14:04:05.123',
};

/** Contract 2.3: fractional seconds and no zone; it is UTC. */
export function showTransfer({ id, at, schedule }: AcceptedTransfer): Envelope<TransferAnswer> {
  if (!schedule) return done({ id, settlementDate: at.toISOString().slice(0, -1) });
  const { scheduledFor, retryUntil } = schedule;
  return incomplete({ id, scheduledFor, ...(retryUntil && { retryUntil }), state: 'Scheduled' });
}

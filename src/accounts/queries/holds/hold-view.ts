import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT, MOMENT, UUID } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { blockedBy, type Hold } from '../../domain/hold.js';
import { HOLD_CAUSES, HOLD_STATUSES, type HoldCause } from '../../domain/hold.events.js';

/** A hold on an account's money, as partners and operators see it. */
export class HoldView {
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty({ enum: HOLD_CAUSES, enumName: 'HoldCause' }) readonly cause: HoldCause;
  /** Of the order */
  readonly reference: string;
  /** What is wanted */
  @ApiProperty(AMOUNT) readonly amount: string;
  /** What is blocked now */
  @ApiProperty(AMOUNT) readonly blocked: string;
  /** What was made available again */
  @ApiProperty(AMOUNT) readonly released: string;
  /** What left the account for the order */
  @ApiProperty(AMOUNT) readonly executed: string;
  /** Of a deposit: what went back to its payer, or is on its way */
  @ApiProperty(AMOUNT) readonly returned: string;
  /** Until then later credits fill it; `null` where they do not */
  @ApiProperty({ ...MOMENT, nullable: true }) readonly retryUntil: string | null;
  /** `Closed`: nothing is blocked by it, and nothing will be */
  @ApiProperty({ enum: HOLD_STATUSES, enumName: 'HoldStatus' }) readonly status: Hold['status'];
  @ApiProperty(MOMENT) readonly placedAt: string;
  /** It is released then, whatever is still blocked; `null` where it has no such time */
  @ApiProperty({ ...MOMENT, nullable: true }) readonly expiresAt: string | null;
  /** The transaction that brought the money, where it was blocked on its arrival */
  @ApiProperty({ ...UUID, nullable: true }) readonly depositId: string | null;
}

export function showHold(hold: Hold): HoldView {
  return {
    id: hold.id,
    cause: hold.cause,
    reference: hold.reference,
    amount: formatAmount(hold.amount),
    blocked: formatAmount(blockedBy(hold)),
    released: formatAmount(hold.released),
    executed: formatAmount(hold.executed),
    returned: formatAmount(hold.returned),
    retryUntil: hold.retryUntil?.toISOString() ?? null,
    status: hold.status,
    placedAt: hold.placedAt.toISOString(),
    expiresAt: hold.expiresAt?.toISOString() ?? null,
    depositId: hold.depositId,
  };
}

export const HOLD_EXAMPLE: HoldView = {
  id: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  cause: 'Judicial',
  reference: '0001234-56.2026.8.26.0100',
  amount: '1000.00',
  blocked: '300.00',
  released: '0.00',
  executed: '0.00',
  returned: '0.00',
  retryUntil: '2026-12-20T14:04:05.123Z',
  status: 'Open',
  placedAt: '2026-11-20T14:04:05.123Z',
  expiresAt: null,
  depositId: null,
};

import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import type { Preview } from '../../../event-store/index.js';
import type { LaterTerms, TransactionSummary } from '../../../accounts/index.js';
import type { Principal } from '../../../auth/index.js';
import { type IdempotentRequest, incomplete, MOMENT } from '../../../platform/http/index.js';
import type { RequestedWebhook } from '../../dto/webhook.js';
import type { RequestedTerms } from '../../code-reading/code-payment.js';
import type { CashOutMethod, Recipient } from '../../domain/events/shared.js';
import type { ParsedBrCode } from '../../domain/values/br-code.js';
import { Homed } from '../../../platform/workers/index.js';

/** To a key, to an account, or to both. */
export interface ToRecipient {
  readonly method: Exclude<CashOutMethod, 'QrCode'>;
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly recipient: Recipient;
}

/** A payment of a code; what the partner requests beside it must agree with the code. */
export interface ByCode {
  readonly method: 'QrCode';
  readonly qrCode: string;
  readonly code: ParsedBrCode;
  readonly requested: RequestedTerms;
}

/** What is paid, and to whom: as requested, or as code and request agree. */
export type Payment = Pick<ToRecipient, 'amount' | 'recipient'> & {
  /** Sent to the rail instead of a key. */
  readonly qrCode?: string;
};

/** A requested cash-out, every value normalised. */
export interface RequestedCashOut {
  readonly payment: ToRecipient | ByCode;
  readonly orderId: string;
  readonly orderDescription: string | undefined;
  /** Absent for a line of a payout file that names no address. */
  readonly webhook?: RequestedWebhook;
  /** Of one that is not made now. */
  readonly later?: LaterTerms;
}

export class UncheckedKey {
  @ApiProperty({ enum: [false] }) readonly keyChecked: false;
}

export class CreatedCashOut {
  readonly transaction: TransactionSummary;

  /** Of a payout that is scheduled, as the next one */
  @ApiProperty(MOMENT) readonly scheduledFor?: string;
  @ApiProperty(MOMENT) readonly retryUntil?: string;

  /** Only of a key with an account where the rail could not compare the two: the account is paid */
  readonly payment?: UncheckedKey;
}

/** The accepted cash-out, as it was then; the same on a replay. */
export interface AcceptedCashOut extends CreatedCashOut {
  readonly replayed: boolean;
}

export function showCashOut({ replayed: _, ...created }: AcceptedCashOut) {
  return incomplete(created);
}

@Homed<RequestCashOut>(({ caller }) => caller.partition)
export class RequestCashOut extends Command<AcceptedCashOut> {
  constructor(
    readonly caller: Principal,
    readonly cashOut: RequestedCashOut,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
  ) {
    super();
  }
}

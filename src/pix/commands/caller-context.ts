import type { AccountFacts, PartnerSettings } from '../../accounts/index.js';
import type { Principal } from '../../auth/index.js';
import type { IdempotencyKey } from '../../event-store/index.js';
import type { LinesOf } from './request-cash-outs/request-cash-outs.command.js';

/** What holds for all cash-outs of a caller. */
export interface CallerContext {
  readonly caller: Principal;
  readonly settings: PartnerSettings;
  readonly facts: AccountFacts;
  readonly lines?: LinesOf;
  /** So many payouts wait for their time that no further one may. */
  readonly isFull: boolean;
}

/** The request that asks for a cash-out. */
export interface AskedBy {
  readonly requestId: string;
  /** Of the cash-out alone. */
  readonly idempotency: IdempotencyKey | undefined;
}

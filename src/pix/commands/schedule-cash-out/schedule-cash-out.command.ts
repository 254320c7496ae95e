import { Command } from '@nestjs/cqrs';
import type { LaterTerms } from '../../../accounts/index.js';
import type { Principal } from '../../../auth/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { AcceptedCashOut, RequestedCashOut } from '../request-cash-out/request-cash-out.command.js';

export class ScheduleCashOut extends Command<AcceptedCashOut> {
  constructor(
    readonly caller: Principal,
    /** Of a key or an account. */
    readonly cashOut: RequestedCashOut & { readonly terms: LaterTerms },
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
  ) {
    super();
  }
}

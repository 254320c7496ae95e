import { Inject, Injectable } from '@nestjs/common';
import { type Prepared, Registry } from '../accounts/index.js';
import type { Principal } from '../auth/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import type { LocatedFault } from '../platform/http/index.js';
import { CashOutAppends } from './commands/cash-out-append.js';
import { LaterCashOuts } from './commands/later-cash-outs.js';
import { payoutTerms } from './commands/request-cash-out/payout-rules.js';
import type { RequestedCashOut } from './commands/request-cash-out/request-cash-out.command.js';
import { cashOutFaults, type RequestCashOutDto } from './commands/request-cash-out/request-cash-out.dto.js';
import type { PayoutOrder } from './domain/scheduled-cash-out.decider.js';
import { webhookPolicy } from './dto/webhook.js';

/** What schedules need of payouts for later. */
@Injectable()
export class ScheduledPayouts {
  constructor(
    private readonly registry: Registry,
    private readonly appends: CashOutAppends,
    private readonly later: LaterCashOuts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Faults over several members of a body. */
  faults(body: RequestCashOutDto): LocatedFault[] {
    return cashOutFaults(body, webhookPolicy(this.config));
  }

  /** The charge of a payout that is scheduled now, centavos. */
  async charges(partnerUid: string): Promise<bigint> {
    return payoutTerms((await this.registry.partner(partnerUid)).settings).charges;
  }

  /** @param cashOut of a key or an account */
  async prepare(caller: Principal, requestId: string, cashOut: RequestedCashOut): Promise<Prepared<PayoutOrder>> {
    return this.later.prepare(await this.appends.terms(caller, requestId, { isLater: true }), cashOut);
  }
}

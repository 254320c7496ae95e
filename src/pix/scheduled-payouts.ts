import { Inject, Injectable } from '@nestjs/common';
import { accountProjection, type Prepared, Registry, type ScheduleTerms } from '../accounts/index.js';
import type { Principal } from '../auth/index.js';
import type { LoadedRows, NewEvent, Reads } from '../event-store/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import type { LocatedFault } from '../platform/http/index.js';
import { CashOutAppends } from './commands/cash-out-append.js';
import { LaterCashOuts } from './commands/later-cash-outs.js';
import { payoutTerms } from './commands/request-cash-out/payout-rules.js';
import type { RequestedCashOut } from './commands/requested-cash-out.js';
import { cashOutFaults, type RequestCashOutDto } from './commands/request-cash-out/request-cash-out.dto.js';
import { cashOutRun, type PayoutOrder } from './domain/scheduled-cash-out.decider.js';
import { webhookPolicy } from './dto/webhook.js';
import { orderOf } from './orders.projection.js';

/** What a run reads and makes beside the account and its transaction, and its events. */
export interface NextRun {
  readonly reads: Reads;
  readonly creates: Reads;
  readonly make: (rows: LoadedRows, terms: ScheduleTerms) => readonly NewEvent[];
}

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

  /** How the next run of a schedule is made, by the settings of now. */
  async nextRun(
    partnerUid: string,
    accountUid: string,
    order: PayoutOrder & { readonly id: string },
  ): Promise<NextRun> {
    const { settings } = await this.registry.partner(partnerUid);
    const { charges } = payoutTerms(settings);
    const { reads, creates, termsOf } = orderOf(accountUid, order.orderId, settings);
    return {
      reads,
      creates,
      make: (rows, terms) => {
        const account = rows.of(accountProjection).get(accountUid)!;
        return cashOutRun({ account, charges, ...termsOf(rows) }, order, terms);
      },
    };
  }

  /** @param cashOut of a key or an account */
  async prepare(caller: Principal, cashOut: RequestedCashOut): Promise<Prepared<PayoutOrder>> {
    return this.later.prepare(await this.appends.contextOf(caller, { isLater: true }), cashOut);
  }
}

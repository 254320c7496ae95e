import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Registry, summarise } from '../../../accounts/index.js';
import { type EventOf, Ledger, newId } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import type { CashOutScheduled } from '../../domain/events/cash-out.events.js';
import { ScheduledPayouts } from '../../scheduled-payouts.js';
import type { AcceptedCashOut } from '../request-cash-out/request-cash-out.command.js';
import { ScheduleCashOut } from './schedule-cash-out.command.js';

@CommandHandler(ScheduleCashOut)
export class ScheduleCashOutHandler implements ICommandHandler<ScheduleCashOut> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    private readonly payouts: ScheduledPayouts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ caller, cashOut, requestId, idempotency }: ScheduleCashOut): Promise<AcceptedCashOut> {
    const { partition, accountUid } = caller;
    const { reads, creates, subjects, secrets, decide } = await this.payouts.prepare(caller, cashOut);
    const [id, timerId] = [newId(partition), newId(partition)];
    const { events, replayed } = await this.ledger.execute({
      partition,
      reads,
      creates: { transactions: [id], scheduledTransactions: [id], ...creates },
      subjects,
      secrets,
      decide: (rows, at) => decide(rows, id, { ...cashOut.terms, timerId }, at),
      metadata: { actor: `access-key:${caller.accessKey}`, requestId, correlation: id },
      idempotency: idempotency && { scope: accountUid, ...idempotency },
    });
    const { holder } = await this.registry.facts(accountUid);
    const { data, time } = events[0] as EventOf<typeof CashOutScheduled>;
    const scheduled = { id: data.id, state: 'Scheduled' as const, date: time.toISOString(), orderId: data.orderId };
    const { scheduledFor, retryUntil } = data.schedule;
    return {
      transaction: summarise({ ...scheduled, amount: BigInt(data.amount) }, holder, this.config),
      scheduledFor,
      ...(retryUntil && { retryUntil }),
      replayed,
    };
  }
}

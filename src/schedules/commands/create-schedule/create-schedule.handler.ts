import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Prepared } from '../../../accounts/index.js';
import { keyActor, type Principal } from '../../../auth/index.js';
import { Ledger, newId, scoped } from '../../../event-store/index.js';
import { ScheduledPayouts } from '../../../pix/index.js';
import { ScheduledTransfers } from '../../../transfers/index.js';
import { createSchedule, MOST_SCHEDULES, TooManySchedules } from '../../domain/schedule.decider.js';
import { orderIdOfRun } from '../../domain/schedule.js';
import type { ScheduleOrder } from '../../domain/schedule.events.js';
import { ScheduleRows } from '../../schedule-rows.js';
import { showCreated } from '../../queries/schedules/schedule-view.js';
import { CreateSchedule, type CreatedSchedule, type RequestedSchedule } from './create-schedule.command.js';

/** The schedule and its first run are made in one commit. */
@CommandHandler(CreateSchedule)
export class CreateScheduleHandler implements ICommandHandler<CreateSchedule> {
  constructor(
    private readonly ledger: Ledger,
    private readonly transfers: ScheduledTransfers,
    private readonly payouts: ScheduledPayouts,
    private readonly rows: ScheduleRows,
  ) {}

  async execute({ caller, schedule, requestId, idempotency, preview }: CreateSchedule): Promise<CreatedSchedule> {
    const { partition, accountUid, partnerUid } = caller;
    const { kind, order, prepared } = await this.#prepare(caller, schedule);
    const isFull = await this.rows.hasActive(partition, accountUid, MOST_SCHEDULES);
    const id = newId(partition);
    const [transactionId, timerId, nextTimerId] = [newId(partition), newId(partition), newId(partition)];
    const { every, startsAt, end, retryForHours } = schedule;
    const { events, replayed } = await this.ledger.execute(
      {
        partition,
        reads: prepared.reads,
        creates: {
          schedules: [id],
          transactions: [transactionId],
          scheduledTransactions: [transactionId],
          ...prepared.creates,
        },
        subjects: prepared.subjects,
        secrets: prepared.secrets,
        decide: (rows, at) => {
          if (isFull) throw new TooManySchedules();
          return createSchedule(
            { partnerUid, accountUid },
            { id, kind, every, startsAt, end, retryForHours, order },
            { transactionId, timerId, nextTimerId },
            at,
            (terms) => prepared.decide(rows, transactionId, terms, at),
          );
        },
        metadata: { actor: keyActor(caller), requestId, correlation: id },
        idempotency: scoped(accountUid, idempotency),
      },
      preview,
    );
    return { schedule: showCreated(events), replayed };
  }

  async #prepare(
    caller: Principal,
    { startsAt, transfer, cashOut }: RequestedSchedule,
  ): Promise<{
    kind: 'Transfer' | 'CashOut';
    order: ScheduleOrder;
    prepared: Omit<Prepared<unknown>, 'order'>;
  }> {
    if (transfer) {
      const prepared = await this.transfers.prepare(caller, { ...transfer, later: { scheduledFor: startsAt } });
      return { kind: 'Transfer', order: prepared.order, prepared };
    }
    const orderId = orderIdOfRun(cashOut!.orderId, 1);
    const prepared = await this.payouts.prepare(caller, { ...cashOut!, orderId });
    return { kind: 'CashOut', order: { ...prepared.order, orderId: cashOut!.orderId }, prepared };
  }
}

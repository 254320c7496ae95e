import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { transactionProjection } from '../../../accounts/index.js';
import { keyActor } from '../../../auth/index.js';
import { Ledger, RowsWanted } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { cancelCashOut } from '../../../pix/index.js';
import { cancelTransfer } from '../../../transfers/index.js';
import { cancelSchedule } from '../../domain/schedule.decider.js';
import { scheduleProjection } from '../../schedule.projection.js';
import { CancelSchedule } from './cancel-schedule.command.js';

@CommandHandler(CancelSchedule)
export class CancelScheduleHandler implements ICommandHandler<CancelSchedule> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ caller, id, requestId }: CancelSchedule): Promise<void> {
    const { partnerUid, accountUid } = caller;
    await this.ledger.execute({
      partition: caller.partition,
      reads: { schedules: [id] },
      decide: (rows, _at, context) => {
        const schedule = rows.of(scheduleProjection).get(id);
        if (schedule?.accountUid !== accountUid) throw new EntityNotFound('ScheduleEntity', 'id', id);
        const ids = schedule.runs.map(({ transactionId }) => transactionId);
        // The runs are known only now: the newest one may have been made a moment ago.
        if (!ids.every((run) => context.isRead(transactionProjection.name, run))) {
          throw new RowsWanted({ transactions: ids, scheduledTransactions: ids });
        }
        const runs = ids.flatMap((run) => rows.of(transactionProjection).get(run) ?? []);
        const cancel = schedule.kind === 'Transfer' ? cancelTransfer : cancelCashOut;
        return cancelSchedule(schedule, runs, (waiting) => cancel(waiting, partnerUid));
      },
      metadata: { actor: keyActor(caller), requestId, correlation: id },
    });
  }
}

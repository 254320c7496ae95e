import { isDeepStrictEqual } from 'node:util';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { transactionProjection } from '../../../accounts/index.js';
import { keyActor } from '../../../auth/index.js';
import { Ledger, LogContradicted, onNewest, RowsWanted } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { cancelCashOut } from '../../../pix/index.js';
import { cancelTransfer } from '../../../transfers/index.js';
import { cancelSchedule } from '../../domain/schedule.decider.js';
import type { Schedule } from '../../domain/schedule.js';
import { ScheduleRows } from '../../schedule-rows.js';
import { scheduleProjection } from '../../schedule.projection.js';
import { CancelSchedule } from './cancel-schedule.command.js';

/** What a cancellation depends on. */
const LOGGED = ['accountUid', 'kind', 'state', 'runs', 'timerId', 'version'] as const;

@CommandHandler(CancelSchedule)
export class CancelScheduleHandler implements ICommandHandler<CancelSchedule> {
  constructor(
    private readonly ledger: Ledger,
    private readonly schedules: ScheduleRows,
  ) {}

  async execute(command: CancelSchedule): Promise<void> {
    const read = () => this.schedules.findLogged(command.id);
    await onNewest({ first: await read(), read, versionOf: (logged) => logged?.version ?? 0 }, (logged) =>
      this.#cancel(command, logged),
    );
  }

  /** @param logged which runs are to be cancelled: one that its row leaves out for a moment would be paid */
  async #cancel({ caller, id, requestId }: CancelSchedule, logged: Schedule | undefined): Promise<void> {
    const { partnerUid, accountUid } = caller;
    await this.ledger.execute({
      partition: caller.partition,
      reads: { schedules: [id] },
      decide: (rows, _at, context) => {
        const schedule = rows.of(scheduleProjection).get(id);
        if (schedule?.accountUid !== accountUid) throw new EntityNotFound('ScheduleEntity', 'id', id);
        if (LOGGED.some((member) => !isDeepStrictEqual(schedule[member], logged?.[member]))) {
          throw new LogContradicted(`The row of schedule ${id} contradicts its events`);
        }
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

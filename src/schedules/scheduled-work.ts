import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { LoggedTransactions, scheduleOf } from '../accounts/index.js';
import type { WorkItem, WorkResult } from '../event-store/index.js';
import { RunCashOut } from '../pix/index.js';
import { RunTransfer } from '../transfers/index.js';
import { MakeNextRun } from './commands/make-next-run/make-next-run.command.js';
import { ScheduleRows } from './schedule-rows.js';

/**
 * Does what is due. It may be begun twice, by two processes: the state that is decided on lets one of them do it, and
 * the other finds it done.
 */
@Injectable()
export class ScheduledWork {
  constructor(
    private readonly transactions: LoggedTransactions,
    private readonly schedules: ScheduleRows,
    private readonly commands: CommandBus,
  ) {}

  async run(work: WorkItem): Promise<WorkResult> {
    // The history's time counts, and whom it pays, whatever the rows say.
    const transaction = await this.transactions.findScheduled(work.subject);
    if (transaction.state !== 'Scheduled') return 'done';
    const scheduledFor = new Date(scheduleOf(transaction)!.scheduledFor);
    if (scheduledFor.getTime() > Date.now()) return { retryAt: scheduledFor };
    return this.commands.execute(
      transaction.type === 'Transfer' ? new RunTransfer(transaction, work) : new RunCashOut(transaction, work),
    );
  }

  async makeNext({ subject, id: timerId }: WorkItem): Promise<WorkResult> {
    await this.commands.execute(new MakeNextRun(await this.schedules.logged(subject), timerId));
    return 'done';
  }
}

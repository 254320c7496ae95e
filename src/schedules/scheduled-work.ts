import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { scheduleOf, TransactionRows } from '../accounts/index.js';
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
    private readonly transactions: TransactionRows,
    private readonly schedules: ScheduleRows,
    private readonly commands: CommandBus,
  ) {}

  async run(work: WorkItem): Promise<WorkResult> {
    const transaction = await this.transactions.find(work.subject);
    if (transaction?.state !== 'Scheduled') return 'done';
    // The history's time counts, whatever the row of the work says.
    const scheduledFor = new Date(scheduleOf(transaction)!.scheduledFor);
    if (scheduledFor.getTime() > Date.now()) return { retryAt: scheduledFor };
    return this.commands.execute(
      transaction.type === 'Transfer' ? new RunTransfer(transaction, work) : new RunCashOut(transaction, work),
    );
  }

  async makeNext({ subject, id: timerId }: WorkItem): Promise<WorkResult> {
    const schedule = await this.schedules.find(subject);
    if (schedule) await this.commands.execute(new MakeNextRun(schedule, timerId));
    return 'done';
  }
}

import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { LeasedWork, Subscriptions, WorkTable } from '../event-store/index.js';
import { CancelScheduledController } from './commands/cancel-scheduled/cancel-scheduled.controller.js';
import { RunScheduledWorker } from './run-scheduled.worker.js';
import { RUN_SCHEDULED, schedulesSaga } from './schedules.saga.js';

/** Transactions carried out at once in a process, of one partner while no other has any due. */
const CONCURRENCY = 32;

/** Transfers and payouts for later, and those that repeat. */
@Module({
  imports: [AuthModule, AccountsModule],
  controllers: [CancelScheduledController],
  providers: [RunScheduledWorker],
})
export class SchedulesModule {
  constructor(subscriptions: Subscriptions, work: LeasedWork, table: WorkTable, runScheduled: RunScheduledWorker) {
    subscriptions.register(schedulesSaga);
    work.register(table.worker(RUN_SCHEDULED, CONCURRENCY, (item) => runScheduled.perform(item), true));
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { InlineProjections, LeasedWork, Subscriptions, WorkTable } from '../event-store/index.js';
import { TransfersModule } from '../transfers/index.js';
import { CancelScheduleHandler } from './commands/cancel-schedule/cancel-schedule.handler.js';
import { CancelScheduledController } from './commands/cancel-scheduled/cancel-scheduled.controller.js';
import { CreateScheduleHandler } from './commands/create-schedule/create-schedule.handler.js';
import { MakeNextRunHandler } from './commands/make-next-run/make-next-run.handler.js';
import { GetScheduleHandler, ListSchedulesHandler, ScheduleShow } from './queries/schedules/schedules.handlers.js';
import { scheduleProjection } from './schedule.projection.js';
import { ScheduleRows } from './schedule-rows.js';
import { SchedulesController } from './schedules.controller.js';
import { MAKE_NEXT_RUN, RUN_SCHEDULED, schedulesSaga } from './schedules.saga.js';
import { ScheduledWork } from './scheduled-work.js';

/** Items carried out at once in a process, of one partner while no other has any due. */
const CONCURRENCY = 32;

/** Transfers and payouts for later, and those that repeat. */
@Module({
  imports: [AuthModule, AccountsModule, TransfersModule],
  controllers: [CancelScheduledController, SchedulesController],
  providers: [
    CancelScheduleHandler,
    CreateScheduleHandler,
    GetScheduleHandler,
    ListSchedulesHandler,
    MakeNextRunHandler,
    ScheduleRows,
    ScheduleShow,
    ScheduledWork,
  ],
})
export class SchedulesModule {
  /** @param pix the very module of the application: it has a rail */
  static over(pix: DynamicModule): DynamicModule {
    return { module: SchedulesModule, imports: [pix] };
  }

  constructor(
    projections: InlineProjections,
    subscriptions: Subscriptions,
    work: LeasedWork,
    table: WorkTable,
    scheduled: ScheduledWork,
  ) {
    projections.register(scheduleProjection);
    subscriptions.register(schedulesSaga);
    work.register(table.worker(RUN_SCHEDULED, CONCURRENCY, (item) => scheduled.run(item), 'AtTheirTime'));
    work.register(table.worker(MAKE_NEXT_RUN, CONCURRENCY, (item) => scheduled.makeNext(item), 'AtTheirTime'));
  }
}

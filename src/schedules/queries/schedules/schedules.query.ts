import { Query } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import type { Page } from '../../../platform/http/index.js';
import type { ScheduleView } from './schedule-view.js';

/** One schedule of the account of the context. */
export class GetSchedule extends Query<ScheduleView> {
  constructor(
    readonly caller: Principal,
    readonly id: string,
  ) {
    super();
  }
}

/** Schedules of the account of the context, newest first. */
export class ListSchedules extends Query<Page<ScheduleView>> {
  constructor(
    readonly caller: Principal,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

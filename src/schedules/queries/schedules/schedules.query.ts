import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { ScheduleView } from './schedule-view.js';

/** One schedule of an account. */
export class GetSchedule extends Query<ScheduleView> {
  constructor(
    readonly accountUid: string,
    readonly id: string,
  ) {
    super();
  }
}

/** Schedules of an account, newest first. */
export class ListSchedules extends Query<Page<ScheduleView>> {
  constructor(
    readonly partnerUid: string,
    readonly accountUid: string,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import type { Preview } from '../../../event-store/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { RequestedCashOut } from '../../../pix/index.js';
import type { TransferOrder } from '../../../transfers/index.js';
import type { NewSchedule } from '../../domain/schedule.decider.js';
import type { ScheduleView } from '../../queries/schedules/schedule-view.js';
import { Homed } from '../../../platform/workers/index.js';

export interface RequestedSchedule extends Pick<NewSchedule, 'every' | 'startsAt' | 'end' | 'retryForHours'> {
  /** One of the two. */
  readonly transfer?: TransferOrder;
  readonly cashOut?: RequestedCashOut;
}

/** The schedule with its first run, as they were made; the same on a replay. */
export interface CreatedSchedule {
  readonly schedule: ScheduleView;
  readonly replayed: boolean;
}

@Homed<CreateSchedule>(({ caller }) => caller.partition)
export class CreateSchedule extends Command<CreatedSchedule> {
  constructor(
    readonly caller: Principal,
    readonly schedule: RequestedSchedule,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
  ) {
    super();
  }
}

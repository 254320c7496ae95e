import { Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { TransactionRows } from '../../../accounts/index.js';
import { partitionOf } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { CURSOR_KEY, decodeCursor, encodeCursor, type Page } from '../../../platform/http/index.js';
import type { Schedule } from '../../domain/schedule.js';
import { ScheduleRows } from '../../schedule-rows.js';
import { type ScheduleView, showSchedule } from './schedule-view.js';
import { GetSchedule, ListSchedules } from './schedules.query.js';

/** Shows schedules with their runs. */
@Injectable()
export class ScheduleShow {
  constructor(private readonly transactions: TransactionRows) {}

  async all(partition: number, schedules: readonly Schedule[]): Promise<ScheduleView[]> {
    const ids = schedules.flatMap(({ runs }) => runs.map(({ transactionId }) => transactionId));
    const transactions = new Map((await this.transactions.some(partition, ids)).map((one) => [one.id, one]));
    return schedules.map((schedule) => showSchedule(schedule, transactions));
  }
}

@QueryHandler(GetSchedule)
export class GetScheduleHandler implements IQueryHandler<GetSchedule> {
  constructor(
    private readonly rows: ScheduleRows,
    private readonly show: ScheduleShow,
  ) {}

  async execute({ caller: { partition, accountUid }, id }: GetSchedule): Promise<ScheduleView> {
    const schedule = partitionOf(id) === partition ? await this.rows.find(id) : undefined;
    if (schedule?.accountUid !== accountUid) throw new EntityNotFound('ScheduleEntity', 'id', id);
    return (await this.show.all(partition, [schedule]))[0]!;
  }
}

@QueryHandler(ListSchedules)
export class ListSchedulesHandler implements IQueryHandler<ListSchedules> {
  constructor(
    private readonly rows: ScheduleRows,
    private readonly show: ScheduleShow,
  ) {}

  async execute({ caller: { partition, accountUid }, limit, cursor }: ListSchedules): Promise<Page<ScheduleView>> {
    const list = ['schedules', accountUid];
    const before = decodeCursor(list, cursor, CURSOR_KEY.id) ?? null;
    const found = await this.rows.list(partition, accountUid, before, limit + 1);
    const page = found.slice(0, limit);
    const nextCursor = found.length > limit ? encodeCursor(list, page.at(-1)!.id) : null;
    return { items: await this.show.all(partition, page), nextCursor };
  }
}

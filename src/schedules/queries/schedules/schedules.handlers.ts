import { Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { TransactionRows } from '../../../accounts/index.js';
import { partitionOf } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { turnsOfPages } from '../../../platform/fair-turns.js';
import { CURSOR_KEY, decodeCursor, type Page, rowsWithin, toPage } from '../../../platform/http/index.js';
import type { Schedule } from '../../domain/schedule.js';
import { ScheduleRows } from '../../schedule-rows.js';
import { type ScheduleView, showSchedule } from './schedule-view.js';
import { GetSchedule, ListSchedules } from './schedules.query.js';

/** Shows schedules with their runs. */
@Injectable()
export class ScheduleShow {
  constructor(private readonly transactions: TransactionRows) {}

  async all(accountUid: string, schedules: readonly Schedule[]): Promise<ScheduleView[]> {
    const ids = schedules.flatMap(({ runs }) => runs.map(({ transactionId }) => transactionId));
    const found = await this.transactions.some(partitionOf(accountUid)!, ids);
    const transactions = new Map(found.map((one) => [one.id, one]));
    return schedules.map((schedule) => showSchedule(schedule, transactions));
  }
}

@QueryHandler(GetSchedule)
export class GetScheduleHandler implements IQueryHandler<GetSchedule> {
  constructor(
    private readonly rows: ScheduleRows,
    private readonly show: ScheduleShow,
  ) {}

  async execute({ accountUid, id }: GetSchedule): Promise<ScheduleView> {
    const schedule = partitionOf(id) === partitionOf(accountUid) ? await this.rows.find(id) : undefined;
    if (schedule?.accountUid !== accountUid) throw new EntityNotFound('ScheduleEntity', 'id', id);
    return (await this.show.all(accountUid, [schedule]))[0]!;
  }
}

/** A page has no more runs, or one schedule. */
const MOST_RUNS_OF_PAGE = 500;

@QueryHandler(ListSchedules)
export class ListSchedulesHandler implements IQueryHandler<ListSchedules> {
  readonly #turns = turnsOfPages(1);

  constructor(
    private readonly rows: ScheduleRows,
    private readonly show: ScheduleShow,
  ) {}

  /** @throws Overloaded when its turn does not come */
  execute(query: ListSchedules): Promise<Page<ScheduleView>> {
    return this.#turns.take(query.partnerUid, () => this.#list(query));
  }

  async #list({ accountUid, limit, cursor }: ListSchedules): Promise<Page<ScheduleView>> {
    const list = ['schedules', accountUid];
    const before = decodeCursor(list, cursor, CURSOR_KEY.id) ?? null;
    const schedules = await this.rows.list(partitionOf(accountUid)!, accountUid, before, limit + 1);
    const page = toPage(
      schedules,
      Math.min(
        limit,
        rowsWithin(schedules, MOST_RUNS_OF_PAGE, ({ runs }) => runs.length),
      ),
      list,
      ({ id }) => id,
      (schedule) => schedule,
    );
    return { ...page, items: await this.show.all(accountUid, page.items) };
  }
}

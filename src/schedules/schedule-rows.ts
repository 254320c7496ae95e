import { Injectable } from '@nestjs/common';
import { partitionOf, type Statement, WholeStreams } from '../event-store/index.js';
import { Database } from '../platform/database/index.js';
import { evolveSchedule, type Schedule } from './domain/schedule.js';
import { scheduleProjection, scheduleTable } from './schedule.projection.js';

/** Reads of schedules. */
@Injectable()
export class ScheduleRows {
  constructor(
    private readonly database: Database,
    private readonly streams: WholeStreams,
  ) {}

  /** As its own events make it, and no row: what its runs are made of. @throws where the log does not have it */
  async logged(id: string): Promise<Schedule> {
    const schedule = await this.findLogged(id);
    if (!schedule) throw new Error(`the log has no schedule ${id}`);
    return schedule;
  }

  /** The same; `undefined` where the log does not have it. */
  findLogged(id: string): Promise<Schedule | undefined> {
    return this.streams.fold<Schedule>(partitionOf(id), { what: 'schedule', id }, evolveSchedule);
  }

  async find(id: string): Promise<Schedule | undefined> {
    const partition = partitionOf(id);
    const [row] = partition === undefined ? [] : await this.database.lookUp(scheduleProjection.load(partition, [id]));
    return row && scheduleTable.parse(row);
  }

  /** Schedules of an account, newest first. @param before an id */
  async list(partition: number, accountUid: string, before: string | null, limit: number): Promise<Schedule[]> {
    const rows = await this.database.query({
      name: 'schedules-of-account',
      text: `
        select ${scheduleTable.columns} from schedule
        where partition = $1 and account_uid = $2
          and id < coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid
        order by id desc limit $4`,
      values: [partition, accountUid, before, limit],
    });
    return rows.map(scheduleTable.parse);
  }

  /** Whether an account has a number of active schedules. */
  async hasActive(partition: number, accountUid: string, number: number): Promise<boolean> {
    return (await this.database.query(oneBehind(partition, accountUid, number - 1))).length > 0;
  }
}

/** One of an account's active schedules, behind so many. */
export const oneBehind = (partition: number, accountUid: string, others: number): Statement => ({
  name: 'schedules-active',
  text: `
    select from schedule
    where partition = $1 and account_uid = $2 and state = 'Active'
    order by id offset $3 limit 1`,
  values: [partition, accountUid, others],
});

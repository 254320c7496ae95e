import { expect, it } from '@jest/globals';
import { newId } from '../../../event-store/index.js';
import type { ScheduleRows } from '../../schedule-rows.js';
import { ListSchedulesHandler, type ScheduleShow } from './schedules.handlers.js';
import { ListSchedules } from './schedules.query.js';

const ACCOUNT = newId(1);
const list = (partnerUid: string, limit: number, cursor?: string) =>
  new ListSchedules(partnerUid, ACCOUNT, limit, cursor);
const show = { all: async (_account: string, schedules: readonly unknown[]) => schedules } as unknown as ScheduleShow;

it('shows no more runs in a page than five hundred, and the next page goes on behind it', async () => {
  const all = Array.from({ length: 20 }, () => ({ id: newId(1), runs: Array<object>(60).fill({}) }));
  const rows = {
    list: async (_partition: number, _account: string, before: string | null, limit: number) => {
      const from = before === null ? 0 : all.findIndex(({ id }) => id === before) + 1;
      return all.slice(from, from + limit);
    },
  } as unknown as ScheduleRows;
  const handler = new ListSchedulesHandler(rows, show);
  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { items, nextCursor } = await handler.execute(list('one', 100, cursor));
    pages.push(items.map(({ id }) => id));
    cursor = nextCursor;
  }
  expect(pages.map(({ length }) => length)).toEqual([8, 8, 4]);
  expect(pages.flat()).toEqual(all.map(({ id }) => id));
});

it('reads one page of a partner at once: the others of it wait, and those of another partner do not', async () => {
  const begun: number[] = [];
  let release = () => {};
  const released = new Promise<void>((resume) => (release = resume));
  const rows = {
    list: async (_partition: number, _account: string, _before: null, limit: number) => {
      begun.push(limit - 1);
      await released;
      return [];
    },
  } as unknown as ScheduleRows;
  const handler = new ListSchedulesHandler(rows, show);
  const asked = [10, 20, 30].map((limit) => handler.execute(list('greedy', limit)));
  asked.push(handler.execute(list('other', 40)));
  await new Promise((resume) => setImmediate(resume));
  expect(begun).toEqual([10, 40]);

  release();
  await Promise.all(asked);
  expect(begun).toEqual([10, 40, 20, 30]);
});

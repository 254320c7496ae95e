import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Refusals, type WorkItem, type WorkResult } from '../../event-store/index.js';
import { RailUnavailable } from '../../pix/index.js';
import { ReturnsOfRail } from '../returns-of-rail.js';
import { CaseWorker } from './case.worker.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const END = Date.parse('2026-11-20T12:00:00.000Z');

let status: string;
let answer: () => Promise<[]>;
let executed: string[];
let worker: CaseWorker;

const none = () => Promise.resolve<[]>([]);
const unknown = () => Promise.reject(new RailUnavailable('the PSP does not give a payment: 400 pix_nao_encontrado'));

let told: jest.SpiedFunction<Logger['error']>;

beforeEach(() => {
  jest.useFakeTimers();
  told = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  [status, answer, executed] = ['Open', unknown, []];
  const known = () => ({ infraction: { id: 'i', endToEndId: 'E1', status, returnUntil: new Date(END) } });
  const cases = { logged: async () => known(), runningOf: async () => [known()] };
  const commands = { execute: async (command: object) => void executed.push(command.constructor.name) };
  const returns = new ReturnsOfRail(commands as never, {} as never, { ownReturns: () => answer() } as never);
  worker = new CaseWorker(commands as never, cases as never, returns);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** @param since of a series of attempts without an answer, as the work's row has it */
function looksAt(ms: number, since?: number, due = ms): Promise<WorkResult> {
  jest.setSystemTime(END + ms);
  const refusals = since === undefined ? null : new Refusals(ms - since);
  return worker.perform({ subject: 'i', dueAt: new Date(END + due), refusals } as WorkItem);
}
const inAnHour = (ms: number, since: number) => ({
  retryAt: new Date(END + ms + HOUR),
  refusals: expect.objectContaining({ lastMs: ms - since }),
});
const wakes = () => worker.wake({ subject: 'i', payload: { of: 'Deposit' } } as WorkItem);

describe.each(['Open', 'Agreed'])(
  'a case (%s) whose ninety days are over, and whose payment the rail does not give',
  (its) => {
    beforeEach(() => {
      status = its;
    });

    it('ends after fourteen days in which the rail was asked each hour', async () => {
      expect(await looksAt(0)).toEqual(inAnHour(0, 0));
      expect(await looksAt(14 * DAY - HOUR, 0)).toEqual(inAnHour(14 * DAY - HOUR, 0));
      expect(executed).toEqual([]);
      expect(await looksAt(14 * DAY, 0)).toBe('done');
      expect(executed).toEqual(['AdvanceInfraction']);
      expect(told.mock.calls.map(([facts]) => facts)).toEqual(Array(3).fill(expect.objectContaining({ case: 'i' })));
    });

    it('does not end at once where nobody had asked for weeks, nor where a row says that somebody had', async () => {
      expect(await looksAt(30 * DAY)).toEqual(inAnHour(30 * DAY, 30 * DAY));
      expect(await looksAt(13 * DAY, -90 * DAY)).toMatchObject(inAnHour(13 * DAY, -90 * DAY));
      expect(executed).toEqual([]);
    });

    it('does not end after fourteen days in which the service stood: they begin anew', async () => {
      expect(await looksAt(15 * DAY, 0, HOUR)).toEqual(inAnHour(15 * DAY, 15 * DAY));
      expect(await looksAt(14 * DAY, 0, 13 * DAY)).toEqual(inAnHour(14 * DAY, 14 * DAY));
      expect(executed).toEqual([]);
      expect(await looksAt(14 * DAY, 0, 13 * DAY + HOUR)).toBe('done');
    });

    it('ends at once with an answer', async () => {
      answer = none;
      expect(await looksAt(0)).toBe('done');
      expect(executed).toEqual(['AdvanceInfraction']);
    });

    it('is moved on by its own work alone', async () => {
      jest.setSystemTime(END);
      expect(await wakes()).toBe('done');
      expect(executed).toEqual([]);
    });
  },
);

it('a case that was agreed with waits for the rail before its ninety days are over', async () => {
  status = 'Agreed';
  await expect(looksAt(-1)).rejects.toThrow(RailUnavailable);
  await expect(wakes()).rejects.toThrow(RailUnavailable);
  expect(executed).toEqual([]);
});

import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../event-store/index.js';
import { ListDeliveriesHandler } from './deliveries.handler.js';
import { ListDeliveries } from './deliveries.query.js';
import type { DeliveryHead, DeliveryRow, DeliveryRows } from './delivery-rows.js';

const ACCOUNT = newId(1);
const list = (reader: string, limit: number, cursor?: string) => new ListDeliveries(reader, ACCOUNT, {}, limit, cursor);

/** Deliveries with so many attempts each, the newest first. */
function rowsOf(attemptsMade: readonly number[]) {
  const all = attemptsMade.map((made, i): DeliveryHead => ({ id: `${i}`, position: `${999 - i}`, attemptsMade: made }));
  return {
    heads: async (_reader: string, _account: string, _filters: object, before: string | null, limit: number) =>
      all.filter(({ position }) => before === null || Number(position) < Number(before)).slice(0, limit),
    whole: async (_account: string, ids: readonly string[]) => ids.map((id) => ({ id, attempts: [] }) as never),
  } as unknown as DeliveryRows;
}

describe('a page of the delivery log', () => {
  it.each<[string, readonly number[], number, readonly number[]]>([
    ['as asked for where that is few', [10, 10, 10], 2, [2, 1]],
    ['no more attempts than a thousand', Array<number>(25).fill(100), 100, [10, 10, 5]],
    ['of each delivery no more than are stored', Array<number>(12).fill(5_000), 100, [10, 2]],
    ['as many as a whole schedule makes of a hundred deliveries', Array<number>(100).fill(10), 100, [100]],
  ])('has %s, and the next one goes on behind it', async (_, attemptsMade, limit, pages) => {
    const handler = new ListDeliveriesHandler(rowsOf(attemptsMade));
    const [sizes, seen]: [number[], string[]] = [[], []];
    for (let cursor: string | undefined; ;) {
      const { items, nextCursor } = await handler.execute(list('one', limit, cursor));
      sizes.push(items.length);
      seen.push(...items.map(({ id }) => id));
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    expect(sizes).toEqual(pages);
    expect(seen).toEqual(attemptsMade.map((_made, i) => `${i}`));
  });

  it('is read alone of its reader: the others of it wait, and those of another reader do not', async () => {
    const begun: number[] = [];
    let release = () => {};
    const released = new Promise<void>((resume) => (release = resume));
    const rows = {
      heads: async (_reader: string, _account: string, _filters: object, _before: null, limit: number) => [
        { id: `${limit}`, position: '1', attemptsMade: 0 },
      ],
      whole: async (_account: string, [id]: readonly string[]): Promise<DeliveryRow[]> => {
        begun.push(Number(id));
        await released;
        return [];
      },
    } as unknown as DeliveryRows;
    const handler = new ListDeliveriesHandler(rows);
    const asked = [10, 20, 30].map((limit) => handler.execute(list('greedy', limit - 1)));
    asked.push(handler.execute(list('other', 39)));
    await new Promise((resume) => setImmediate(resume));
    expect(begun).toEqual([10, 40]);

    release();
    await Promise.all(asked);
    expect(begun).toEqual([10, 40, 20, 30]);
  });
});

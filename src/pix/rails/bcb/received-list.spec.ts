import { afterEach, expect, it, jest } from '@jest/globals';
import type { Config } from '../../../platform/config/index.js';
import type { ReceivedPayment } from '../pix-rail.js';
import { RailUnavailable } from '../rail-errors.js';
import type { ApiPixClient, ApiPixRequest } from './api-pix-client.js';
import { ReceivedList } from './received-list.js';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const KEY = 'a@example.com';
const PIX = { endToEndId: 'E6070119020261120140400000000000', valor: '1.00', horario: '2026-11-20T11:59:00.000Z' };

afterEach(() => {
  jest.useRealTimers();
});

function listOf(page: (of: number) => { readonly pix: unknown[]; readonly pages: number }) {
  let asked = 0;
  const call = async ({ query }: ApiPixRequest) => {
    asked += 1;
    if (asked > 1_000) throw new Error('asked for ever');
    jest.setSystemTime(Date.now() + 100);
    const { pix, pages } = page(Number(query!['paginacao.paginaAtual']));
    return { parametros: { paginacao: { quantidadeDePaginas: pages } }, pix };
  };
  jest.useFakeTimers({ now: START });
  const config = { pixKey: KEY } as unknown as Config;
  const settings = { queryDays: 365 } as ConstructorParameters<typeof ReceivedList>[2];
  const list = new ReceivedList({ call } as unknown as ApiPixClient, config, settings, { receivedQuery: {} });
  return { list, asked: () => asked };
}

const other = (page: number) => ({ ...PIX, endToEndId: PIX.endToEndId.replace(/.$/, String(page)) });

async function movementsOf(list: ReceivedList, from: Date, to: Date): Promise<unknown[]> {
  const found: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page = await list.movementsBetween(from, to, cursor);
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

it('a search of a list that never ends is given up when nobody waits for it any more', async () => {
  const { list, asked } = listOf((page) => ({ pix: [PIX], pages: page + 2 }));
  await expect(list.firstOf('7978c0c97ea847e78e8849634473c1f1')).rejects.toThrow(RailUnavailable);
  const payment = { endToEndId: 'E'.padEnd(32, '1'), at: new Date(START) } as unknown as ReceivedPayment;
  await expect(list.lists(payment, {})).rejects.toThrow(RailUnavailable);
  expect(asked()).toBeLessThan(200);
});

it('a payment that cannot be read hides no other from a sweep, and no day is compared without it', async () => {
  const { list } = listOf(() => ({ pix: [{ ...PIX, valor: null }, PIX], pages: 1 }));
  const [from, to] = [new Date(START - 3_600_000), new Date(START)];
  const { items, unread } = await list.receivedBetween(from, to, null);
  expect(items).toEqual([expect.objectContaining({ payment: expect.objectContaining({ amount: 100n }) })]);
  expect(unread).toHaveLength(1);
  await expect(list.movementsBetween(from, to, null)).rejects.toThrow(RailUnavailable);
});

it.each([
  ['empty ones', []],
  ['the same one again and again', [PIX]],
])('a list that claims 100,000 pages, and has %s, is read no further, and told of', async (_, pix) => {
  const { list, asked } = listOf(() => ({ pix, pages: 100_000 }));
  const [from, to] = [new Date(START - 3_600_000), new Date(START)];
  const unread: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page = await list.receivedBetween(from, to, cursor);
    unread.push(...page.unread!);
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect([asked(), unread]).toEqual([2, [expect.any(RailUnavailable)]]);
});

it.each<[string, (page: number) => { pix: unknown[]; pages: number }]>([
  ['a page in its middle is empty', (page) => ({ pix: page === 1 ? [] : [other(page)], pages: 3 })],
  ['its first page is empty', (page) => ({ pix: page === 0 ? [] : [other(page)], pages: 3 })],
  ['it has fewer pages than it said', (page) => ({ pix: [other(page)], pages: page === 0 ? 3 : 1 })],
])('a list of which %s is told of, and no day is compared by it', async (_, page) => {
  const [from, to] = [new Date(START - 3_600_000), new Date(START)];
  const read = async () => {
    const { list } = listOf(page);
    const [items, unread]: unknown[][] = [[], []];
    let cursor: string | null = null;
    do {
      const one = await list.receivedBetween(from, to, cursor);
      items!.push(...one.items);
      unread!.push(...one.unread!);
      cursor = one.nextCursor;
    } while (cursor !== null);
    return { items, unread };
  };
  expect(await read()).toEqual({
    items: [expect.anything(), expect.anything()],
    unread: [expect.any(RailUnavailable)],
  });
  const { list } = listOf(page);
  await expect(movementsOf(list, from, to)).rejects.toThrow(RailUnavailable);
});

it('a list whose last page is empty lacks nothing', async () => {
  const { list } = listOf((page) => ({ pix: page === 2 ? [] : [other(page)], pages: 3 }));
  expect(await movementsOf(list, new Date(START - 3_600_000), new Date(START))).toHaveLength(2);
});

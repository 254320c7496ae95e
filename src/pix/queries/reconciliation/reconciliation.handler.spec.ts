import { expect, it } from '@jest/globals';
import type { CaughtUp } from '../../../event-store/index.js';
import type { ApiPixSettings, Config } from '../../../platform/config/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { ApiPixClient, ApiPixRequest } from '../../rails/bcb/api-pix-client.js';
import { STANDARD } from '../../rails/bcb/dialect.js';
import { ReceivedList } from '../../rails/bcb/received-list.js';
import type { PixRail, RailMovement } from '../../rails/pix-rail.js';
import { ReconcileDayHandler } from './reconciliation.handler.js';
import { ReconcileDay } from './reconciliation.query.js';

const DAY_MS = 86_400_000;
/** Days of São Paulo, which begin at three in UTC. */
const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21'] as const;
/**
 * The first and the last moment of the second day; around midnight of UTC, which lies within it; and of its neighbours.
 */
const MOMENTS = {
  '2026-11-19': ['2026-11-20T00:00:00.000Z', '2026-11-20T02:59:59.999Z'],
  '2026-11-20': [
    ...['2026-11-20T03:00:00.000Z', '2026-11-20T14:59:59.999Z', '2026-11-20T15:00:00.000Z'],
    ...['2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00.000Z', '2026-11-21T02:59:59.999Z'],
  ],
  '2026-11-21': ['2026-11-21T03:00:00.000Z'],
};

interface Paid {
  readonly endToEndId: string;
  readonly horario: string;
  readonly valor: string;
  readonly devolucoes: readonly object[];
}

/** A payment at that moment, given back at another. */
function paid(n: number, at: Date, returnedAt?: string): Paid {
  const devolucao = { id: `D${n}`, valor: '0.40', status: 'DEVOLVIDO', horario: { liquidacao: returnedAt } };
  const devolucoes = returnedAt === undefined ? [] : [devolucao];
  return { endToEndId: `E${String(n).padStart(31, '0')}`, horario: at.toISOString(), valor: '1.00', devolucoes };
}

/**
 * The standard's list, which filters returns by the time of their payment, and a ledger that has payments alone.
 * @param counted how many times as many movements the ledger counts
 */
function reconciling(pix: readonly Paid[], counted = 1) {
  const asked: string[] = [];
  const held: number[] = [];
  const lists = new Map<string, readonly Paid[]>();
  const call = async ({ query }: ApiPixRequest) => {
    const { inicio, fim, devolucaoPresente } = query as Record<string, string>;
    const page = Number(query!['paginacao.paginaAtual']);
    const list = `${inicio} ${fim} ${devolucaoPresente}`;
    asked.push(list);
    const found =
      lists.get(list) ??
      pix
        .filter(({ horario }) => horario >= inicio! && horario <= fim!)
        .filter(({ devolucoes }) => devolucaoPresente !== 'true' || devolucoes.length > 0);
    lists.set(list, found);
    const paginacao = { quantidadeDePaginas: Math.max(1, Math.ceil(found.length / 100)) };
    return { parametros: { paginacao }, pix: found.slice(page * 100, (page + 1) * 100) };
  };
  const config = { pixKey: 'key' } as Config;
  const list = new ReceivedList(
    { call } as unknown as ApiPixClient,
    config,
    { queryDays: 5 } as ApiPixSettings,
    STANDARD,
  );
  const rail = { movementsBetween: list.movementsBetween.bind(list) } as unknown as PixRail;
  const query = async ({ name, values: [from, to, most] }: { name: string; values: Date[] }) => {
    const payments = pix.filter(({ horario: at }) => at >= from!.toISOString() && at < to!.toISOString());
    if (name === 'pix-movements-above') return payments.length * counted > Number(most) ? [{}] : [];
    held.push(payments.length * counted);
    return payments.map(({ endToEndId }) => ({ kind: 'PaymentIn', rail_id: endToEndId, amount: '100' }));
  };
  const caughtUp = { within: () => Promise.resolve(true) } as unknown as CaughtUp;
  const handler = new ReconcileDayHandler({ query } as unknown as Database, caughtUp, rail);
  const returnsOf = async (day: string) => {
    const { mismatches, rail: seen } = await handler.execute(new ReconcileDay(day));
    const returns = mismatches.filter(({ kind }: Pick<RailMovement, 'kind'>) => kind === 'RefundOut');
    return { ids: returns.map(({ id }) => id).sort(), seen };
  };
  return { asked, held, returnsOf };
}

/** One payment for each moment, as old as can still be given back, given back then. */
const RETURNED = Object.entries(MOMENTS).flatMap(([day, moments]) => moments.map((moment) => ({ day, moment })));
const OLD = RETURNED.map(({ moment }, n) => paid(n, new Date(Date.parse(moment) - 91 * DAY_MS), moment));
const idsOf = (day: string) => RETURNED.flatMap((one, n) => (one.day === day ? [`D${n}`] : [])).sort();

it.each(DAYS)('of %s, has each return of its own, over midnight of São Paulo and of UTC', async (day) => {
  expect((await reconciling(OLD).returnsOf(day)).ids).toEqual(idsOf(day));
});

it('reads the returns once a day', async () => {
  const { asked, returnsOf } = reconciling(OLD);
  await returnsOf(DAYS[1]);
  // The day, and the 91 days before it and itself in parts of five.
  expect(asked.length).toBeLessThanOrEqual(1 + Math.ceil(92 / 5));
  expect(new Set(asked).size).toBe(asked.length);
});

const FROM = Date.parse(MOMENTS[DAYS[1]][0]!);
const payments = (count: number) =>
  Array.from({ length: count }, (_, n) => paid(1_000 + n, new Date(FROM + Math.floor((n * DAY_MS) / count))));

it.each([
  ['the ledger', [...OLD, ...payments(48)], 1_000],
  ['the rail', [...OLD, ...payments(20_001)], 0],
])('compares a day of which %s has much in parts, and has them all, once each', async (_, pix, counted) => {
  const { asked, returnsOf } = reconciling(pix, counted);
  const { ids, seen } = await returnsOf(DAYS[1]);
  expect(ids).toEqual(idsOf(DAYS[1]));
  expect([seen.PaymentIn.count, seen.RefundOut.count]).toEqual([pix.length - OLD.length, ids.length]);
  const parts = new Set(asked.filter((one) => one.endsWith('undefined')));
  expect(parts.size).toBeGreaterThan(1);
});

it('compares an hour that has more than memory has room for in parts, and has them all', async () => {
  const hour = Array.from({ length: 120 }, (_, n) => paid(n, new Date(FROM + n * 30_000)));
  const { held, returnsOf } = reconciling(hour, 1_000);
  expect((await returnsOf(DAYS[1])).seen.PaymentIn.count).toBe(hour.length);
  expect(Math.max(...held)).toBeLessThanOrEqual(50_000);
});

it('compares a second whole, however much it has', async () => {
  const second = Array.from({ length: 60 }, (_, n) => paid(n, new Date(FROM)));
  expect((await reconciling(second, 1_000).returnsOf(DAYS[1])).seen.PaymentIn.count).toBe(second.length);
});

import { expect, it } from '@jest/globals';
import type { Config } from '../../../platform/config/index.js';
import type { ApiPixClient, ApiPixRequest } from '../bcb/api-pix-client.js';
import { ApiPixRefusal } from '../bcb/problem.js';
import { RailUnavailable } from '../rail-errors.js';
import { efiDialect } from './dialect.js';
import { SentList } from './sent-list.js';

/** As in the PSP's own documentation of `GET …/enviados/:e2eId`: settled a second before it was created. */
const SENT = {
  endToEndId: 'E09089356202611201600APIcdbe38b4',
  idEnvio: '01a1f962d93770019db5cf286c4f56d2',
  valor: '1.00',
  chave: 'x',
  status: 'REALIZADO',
  horario: { solicitacao: '2026-11-20T16:00:00.905Z', liquidacao: '2026-11-20T15:59:59.000Z' },
  favorecido: { chave: 'ana@example.com' },
};

/** A list that filters by creation, as the PSP's does. */
function listOf(sent: typeof SENT): SentList {
  const call = async ({ query }: ApiPixRequest) => {
    const { inicio, fim } = query as { inicio: string; fim: string };
    const { solicitacao } = sent.horario;
    const pix = solicitacao >= inicio && solicitacao <= fim ? [sent] : [];
    return { parametros: { paginacao: { quantidadeDePaginas: 1 } }, pix };
  };
  const config = { efi: { ownUrl: 'https://psp', queryDays: 5 } } as unknown as Config;
  return new SentList({ call } as unknown as ApiPixClient, config);
}

it('finds a payment that was settled before it was created in the hour in which it was settled', async () => {
  const list = listOf(SENT);
  const found: string[] = [];
  for (const hour of [15, 16]) {
    const from = new Date(Date.UTC(2026, 10, 20, hour));
    const { items } = await list.paymentsOut(from, new Date(from.getTime() + 3_600_000), null);
    found.push(...items.map(({ id }) => id));
  }
  expect(found).toEqual([SENT.endToEndId]);
});

it('is swept where a payment of ours is not whole, which is told of, and no day is compared by it', async () => {
  const list = listOf({ ...SENT, valor: undefined } as unknown as typeof SENT);
  const day = [new Date('2026-11-20T03:00:00.000Z'), new Date('2026-11-21T03:00:00.000Z'), null] as const;
  expect(await list.endedBetween(...day)).toMatchObject({ items: [], unread: [expect.any(RailUnavailable)] });
  await expect(list.paymentsOut(...day)).rejects.toThrow(RailUnavailable);
});

it('tells that a payment was settled, and when, before money of it that came back', async () => {
  const returned = (rtrId: string, horario: string) => ({ rtrId, valor: '0.40', horario });
  const devolucoes = [returned('D1', '2026-11-21T03:00:20.000Z'), returned('D2', '2026-11-21T03:10:00.000Z')];
  const list = listOf({ ...SENT, devolucoes } as typeof SENT);
  const from = new Date('2026-11-21T03:00:00.000Z');
  // The sweep: it begins long after the payment was created.
  const told: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page = await list.returnedBetween(from, new Date(from.getTime() + 60_000), cursor);
    told.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  const settled = { status: 'Settled', at: new Date(SENT.horario.liquidacao), endToEndId: SENT.endToEndId };
  expect(told).toEqual([
    { kind: 'PaymentEnded', paymentId: SENT.idEnvio, outcome: expect.objectContaining(settled) },
    { kind: 'ReturnedMoney', returned: expect.objectContaining({ returnId: 'D1', amount: 40n }) },
  ]);
});

it('is not read to its end where a page is said to be none: it is told of, and no day is compared by it', async () => {
  const call = async ({ query }: ApiPixRequest) => {
    if (query!['paginacao.paginaAtual'] === '0') {
      return { parametros: { paginacao: { quantidadeDePaginas: 2 } }, pix: [SENT] };
    }
    const type = 'https://pix.bcb.gov.br/api/v2/error/PixEnviadoNaoEncontrado';
    throw ApiPixRefusal.of(404, { type }, efiDialect({ skipMtlsCheck: false }));
  };
  const config = { efi: { ownUrl: 'https://psp', queryDays: 5 } } as unknown as Config;
  const list = new SentList({ call } as unknown as ApiPixClient, config);
  const day = [new Date('2026-11-20T03:00:00.000Z'), new Date('2026-11-21T03:00:00.000Z')] as const;
  const { items, nextCursor } = await list.endedBetween(...day, null);
  expect(items).toHaveLength(1);
  expect(await list.endedBetween(...day, nextCursor)).toEqual({
    items: [],
    nextCursor: null,
    unread: [expect.any(RailUnavailable)],
  });
  const { nextCursor: next } = await list.paymentsOut(...day, null);
  await expect(list.paymentsOut(...day, next)).rejects.toThrow(RailUnavailable);
});

const DAY = [new Date('2026-11-20T15:59:59.000Z'), new Date('2026-11-21T15:59:59.000Z')] as const;

it.each([
  ['REALIZADO', ['Settled']],
  ['NAO_REALIZADO', ['Rejected']],
  ['EM_PROCESSAMENTO', []],
  ['constructor', []],
])('tells of a payment in the state %s: %j', async (status, told) => {
  const { items } = await listOf({ ...SENT, status }).endedBetween(...DAY, null);
  expect(items.map((one) => one.kind === 'PaymentEnded' && one.outcome.status)).toEqual(told);
  const out = await listOf({ ...SENT, status }).paymentsOut(...DAY, null);
  expect(out.items.length).toBe(status === 'REALIZADO' ? 1 : 0);
});

it('has of each day what was settled, or came back, from its beginning until before its end', async () => {
  const [from, to] = DAY;
  const settledAt = (liquidacao: Date) => ({
    solicitacao: SENT.horario.solicitacao,
    liquidacao: liquidacao.toISOString(),
  });
  const around = [from.getTime() - 1, from.getTime(), to.getTime() - 1, to.getTime()].map((ms) => new Date(ms));
  for (const [i, at] of around.entries()) {
    const { items } = await listOf({ ...SENT, horario: settledAt(at) }).paymentsOut(from, to, null);
    expect(items).toEqual(i === 1 || i === 2 ? [{ kind: 'PaymentOut', id: SENT.endToEndId, amount: 100n, at }] : []);
  }
  const devolucoes = around.map((at, i) => ({ rtrId: `D${i}`, valor: '0.10', horario: at.toISOString() }));
  const back: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page = await listOf({ ...SENT, devolucoes } as typeof SENT).refundsIn(from, to, cursor);
    back.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(back).toEqual(['D1', 'D2']);
});

it.each([
  ['a named 404', ApiPixRefusal.of(404, { nome: 'pix_nao_encontrado' }, efiDialect({ skipMtlsCheck: false })), true],
  ['a bare 404', ApiPixRefusal.of(404, undefined), false],
  ['a refusal', ApiPixRefusal.of(400, { nome: 'json_invalido' }), false],
  ['no answer', new RailUnavailable('away'), false],
])('is empty by %s: %p %p', async (_what, error, isEmpty) => {
  const call = async () => {
    throw error;
  };
  const config = { efi: { ownUrl: 'https://psp', queryDays: 5 } } as unknown as Config;
  const page = new SentList({ call } as unknown as ApiPixClient, config).endedBetween(...DAY, null);
  if (isEmpty) expect(await page).toMatchObject({ items: [], nextCursor: null, unread: [] });
  else await expect(page).rejects.toThrow(RailUnavailable);
});

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

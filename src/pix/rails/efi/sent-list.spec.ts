import { expect, it } from '@jest/globals';
import type { Config } from '../../../platform/config/index.js';
import type { ApiPixClient, ApiPixRequest } from '../bcb/api-pix-client.js';
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
const client = {
  call: async ({ query }: ApiPixRequest) => {
    const { inicio, fim } = query as { inicio: string; fim: string };
    const { solicitacao } = SENT.horario;
    const pix = solicitacao >= inicio && solicitacao <= fim ? [SENT] : [];
    return { parametros: { paginacao: { quantidadeDePaginas: 1 } }, pix };
  },
} as unknown as ApiPixClient;

it('finds a payment that was settled before it was created in the hour in which it was settled', async () => {
  const list = new SentList(client, { efi: { ownUrl: 'https://psp', queryDays: 5 } } as unknown as Config);
  const found: string[] = [];
  for (const hour of [15, 16]) {
    const from = new Date(Date.UTC(2026, 10, 20, hour));
    const { items } = await list.paymentsOut(from, new Date(from.getTime() + 3_600_000), null);
    found.push(...items.map(({ id }) => id));
  }
  expect(found).toEqual([SENT.endToEndId]);
});

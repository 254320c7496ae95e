import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Config } from '../../../platform/config/index.js';
import type { ApiPixClient } from '../bcb/api-pix-client.js';
import { ApiPixRefusal } from '../bcb/problem.js';
import { RailUnavailable } from '../rail-errors.js';
import { EfiInfractionRail } from './efi-infraction-rail.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(true));

const PAID = 'E6070119020261120140400000000000';
const REPORT = {
  idInfracao: 'd5b7b9a2-53b1-4e1c-9a0e-3f8f3f0c0a01',
  endToEndId: PAID,
  valor: 12.5,
  status: 'EM_ANALISE',
  tipoSituacao: 'golpe',
  dadosAnalise: { abertura: '2026-11-20T14:00:00.000Z', prazoFinalizacao: '2026-11-27T14:00:00.000Z' },
};

function railThatAnswers(answer: object): EfiInfractionRail {
  const client = { call: () => Promise.resolve(answer) } as unknown as ApiPixClient;
  return new EfiInfractionRail(client, { efi: { ownUrl: 'https://psp', queryDays: 30 } } as unknown as Config);
}

function listed(...infracoes: unknown[]): EfiInfractionRail {
  return railThatAnswers({ parametros: { paginacao: { quantidadeDePaginas: 1 } }, infracoes });
}

const day = (of: number) => new Date(Date.UTC(2026, 10, of));
const read = (rail: EfiInfractionRail) => rail.infractionsBetween(day(20), day(21), null);

it('a report that cannot be read hides none of the others, and is told of', async () => {
  const broken = [null, { ...REPORT, dadosAnalise: { abertura: null } }, { ...REPORT, endToEndId: '\ud800' }];
  const { items, unread } = await read(listed(...broken, REPORT));
  expect(items).toEqual([expect.objectContaining({ railId: REPORT.idInfracao, amount: 1_250n, reason: 'Scam' })]);
  expect(unread).toHaveLength(broken.length);
});

it.each([true, ['12'], '0x10', '1e2', ' 12 ', '12,50', {}, null, 1e300, -1, 0])(
  'a report of %j has no amount, and blocks nothing',
  async (valor) => {
    const { items, unread } = await read(listed({ ...REPORT, valor }));
    expect([items, unread]).toEqual([[], [expect.any(RailUnavailable)]]);
  },
);

it('a report whose amount is a text, as everywhere else at the PSP, has that amount; its words are cut', async () => {
  const { items } = await read(listed({ ...REPORT, valor: '12.50', comentario: 'a'.repeat(1_000_000) }));
  expect(items).toEqual([expect.objectContaining({ amount: 1_250n, details: 'a'.repeat(2_000) })]);
});

it.each(['constructor', '__proto__', 'OUTRO'])('a word that is not known, as %s, ends no analysis', async (word) => {
  const { items } = await read(listed({ ...REPORT, status: word, tipoSituacao: word }));
  expect(items).toEqual([expect.objectContaining({ state: 'Open', reason: 'Other' })]);
});

it.each([undefined, null, 'logo', '+275760-09-13T00:00:00.000Z'])(
  'a report whose deadline is %j is one, as its money is to be blocked',
  async (prazoFinalizacao) => {
    const { items } = await read(listed({ ...REPORT, dadosAnalise: { ...REPORT.dadosAnalise, prazoFinalizacao } }));
    expect(items).toEqual([expect.not.objectContaining({ decideUntil: expect.anything() })]);
  },
);

it("somebody else's payment does not say what was given back of one", async () => {
  const horario = { solicitacao: '2026-11-21T14:00:00.000Z' };
  const devolucoes = [{ id: 'D1', valor: '1.00', status: 'DEVOLVIDO', natureza: 'MED_FRAUDE', horario }];
  const pix = { endToEndId: PAID, valor: '12.50', horario: '2026-11-20T14:00:00.000Z', devolucoes };
  await expect(railThatAnswers(pix).ownReturns(PAID)).resolves.toHaveLength(1);
  const timeless = { ...pix, devolucoes: [{ ...devolucoes[0], horario: null }] };
  await expect(railThatAnswers(timeless).ownReturns(PAID)).resolves.toHaveLength(1);
  const another = { ...pix, endToEndId: PAID.replace(/0$/, '1') };
  await expect(railThatAnswers(another).ownReturns(PAID)).rejects.toThrow(RailUnavailable);
});

function railThatRefuses(status: number, nome?: string): EfiInfractionRail {
  const call = () => Promise.reject(ApiPixRefusal.of(status, nome && { nome }));
  return new EfiInfractionRail({ call } as unknown as ApiPixClient, { efi: { ownUrl: 'https://psp' } } as Config);
}

it.each([409, 422])('a named %d is the end of a defence; without a name it ends nothing', async (status) => {
  await expect(railThatRefuses(status, 'defesa_enviada').sendDefence('r', 'words')).resolves.toBeUndefined();
  await expect(railThatRefuses(status).sendDefence('r', 'words')).rejects.toThrow(RailUnavailable);
});

it.each([400, 404, 410])('a named %d is no end of a defence', async (status) => {
  await expect(railThatRefuses(status, 'json_invalido').sendDefence('r', 'words')).rejects.toThrow(RailUnavailable);
});

it('what the MED gave back is counted once it was made, or is under way, and nothing else', async () => {
  const horario = { solicitacao: '2026-11-21T14:00:00.000Z', liquidacao: '2026-11-21T14:00:05.000Z' };
  const states = [
    ['D1', 'DEVOLVIDO', 'MED_FRAUDE'],
    ['D2', 'EM_PROCESSAMENTO', 'MED_OPERACIONAL'],
    ['D3', 'NAO_REALIZADO', 'MED_FRAUDE'],
    ['D4', 'DEVOLVIDO', 'ORIGINAL'],
    ['D5', 'DEVOLVIDO', undefined],
  ];
  const devolucoes = states.map(([id, status, natureza]) => ({ id, valor: '1.00', status, natureza, horario }));
  const pix = { endToEndId: PAID, valor: '12.50', horario: '2026-11-20T14:00:00.000Z', devolucoes };
  const at = new Date(horario.liquidacao);
  expect(await railThatAnswers(pix).ownReturns(PAID)).toEqual([
    { returnId: 'D1', amount: 100n, at },
    { returnId: 'D2', amount: 100n, at, isUnderWay: true },
    { returnId: 'D5', amount: 100n, at },
  ]);
  await expect(railThatRefuses(404, 'pix_nao_encontrado').ownReturns(PAID)).rejects.toThrow(RailUnavailable);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { encodeDynamicBrCode } from '../../domain/values/br-code.js';
import type { Config } from '../../../platform/config/index.js';
import type { Charge } from '../pix-rail.js';
import { ChargeRefused, RailUnavailable } from '../rail-errors.js';
import type { ApiPixClient, ApiPixRequest } from './api-pix-client.js';
import { cobBody, Cobs, codeOf } from './cobs.js';
import { MalformedAnswer } from './answer-members.js';
import { ApiPixRefusal } from './problem.js';
import type { ReceivedList } from './received-list.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(true));

const charge: Charge = {
  txid: '7978c0c97ea847e78e8849634473c1f1',
  location: 'ours.example/1',
  amount: 1_000n,
  createdAt: new Date('2026-11-20T14:00:00.000Z'),
  expiresAt: new Date('2026-11-20T15:00:00.000Z'),
  debtor: { name: '', taxNumber: '' },
  orderId: 'pedido-1',
  description: '',
};
const cob = { location: undefined, pixCopiaECola: undefined, amount: 1_000n };
const encode = (location: string, amount?: bigint) =>
  encodeDynamicBrCode({ location, merchantName: 'Loja', merchantCity: 'BRASILIA', amount });

describe('the charge as it is asked for', () => {
  it('carries what it must', () => {
    expect(cobBody(charge, 'a@example.com')).toEqual({
      calendario: { expiracao: 3600 },
      valor: { original: '10.00' },
      chave: 'a@example.com',
      infoAdicionais: [{ nome: 'Pedido', valor: 'pedido-1' }],
    });
  });

  it.each([
    ['52998224725', { nome: 'Maria', cpf: '52998224725' }],
    ['12ABC34501DE35', { nome: 'Maria', cnpj: '12ABC34501DE35' }],
    ['', undefined],
  ])('names the debtor by CPF or CNPJ, or not at all: %s', (taxNumber, devedor) => {
    const body = cobBody({ ...charge, debtor: { name: 'Maria', taxNumber } }, 'k') as { devedor?: object };
    expect(body.devedor).toEqual(devedor);
  });

  it('cuts what the payer reads to 140 characters, not in the middle of one', () => {
    const body = cobBody({ ...charge, description: '🙂'.repeat(141) }, 'k') as { solicitacaoPagador: string };
    expect([...body.solicitacaoPagador]).toHaveLength(140);
    expect(body.solicitacaoPagador.isWellFormed()).toBe(true);
  });
});

describe('the code of a charge', () => {
  it('is the PSP’s own, word for word', () => {
    const pixCopiaECola = encode('pix.example.com/qr/1', 1_000n);
    expect(codeOf({ ...cob, pixCopiaECola })).toEqual({ location: 'pix.example.com/qr/1', qrCode: pixCopiaECola });
    const open = encode('pix.example.com/qr/1');
    expect(codeOf({ ...cob, pixCopiaECola: open })).toMatchObject({ qrCode: open });
  });

  it.each([
    ['is missing', undefined],
    ['is damaged', `${encode('pix.example.com/qr/2', 1_000n).slice(0, -4)}0000`],
    ['asks for another amount', encode('pix.example.com/qr/2', 999n)],
  ])('is made of the location where the PSP’s %s', (_, pixCopiaECola) => {
    const location = 'https://pix.example.com/qr/1';
    expect(codeOf({ ...cob, location, pixCopiaECola })).toEqual({ location: 'pix.example.com/qr/1' });
  });

  it.each([undefined, 'not a location', `pix.example.com/${'a'.repeat(80)}`])('is nothing with: %s', (location) => {
    expect(() => codeOf({ ...cob, location })).toThrow(MalformedAnswer);
  });
});

const LATER = new Date(Date.now() + 3_600_000).toISOString();
const LONG_AGO = '2026-01-01T00:00:00.000Z';
const E2E = 'E6070119020261120140400000000000';
const paid = { endToEndId: E2E, txid: charge.txid, valor: '10.00', horario: '2026-11-20T14:00:00.000Z' };
const answered = (more: object = {}) => ({
  ...{ txid: charge.txid, status: 'ATIVA', valor: { original: '10.00' }, location: 'pix.example.com/qr/1' },
  ...{ calendario: { criacao: LATER, expiracao: 3600 } },
  ...more,
});
const problem = (status: number, name?: string) =>
  ApiPixRefusal.of(status, name && { type: `https://pix.bcb.gov.br/api/v2/error/${name}` });
const NOT_FOUND = problem(404, 'CobNaoEncontrada');

interface Psp {
  /** To what changes a charge. */
  readonly change: object;
  readonly get?: object;
  /** The payment by its identifier, and the first that is listed for the charge. */
  readonly payment?: { readonly endToEndId: string; readonly txid: string | null };
  readonly listed?: object;
}

function cobs({ change, get = NOT_FOUND, payment, listed }: Psp): Cobs {
  const call = async ({ method }: ApiPixRequest) => {
    const answer = method === 'GET' ? get : change;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const received = { find: async () => payment && { payment }, firstOf: async () => listed };
  return new Cobs(
    { call } as unknown as ApiPixClient,
    received as unknown as ReceivedList,
    { pixKey: 'k' } as unknown as Config,
  );
}

describe('a charge', () => {
  const create = (change: object, get?: object) => cobs({ change, get }).create(charge);
  const made = { location: 'pix.example.com/qr/1' };

  it('is made by its own answer, or by the look-up after a refusal of what was made before', async () => {
    expect(await create(answered())).toEqual(made);
    expect(await create(problem(400, 'CobOperacaoInvalida'), answered())).toEqual(made);
  });

  it.each([
    ['of another charge', answered({ txid: 'another' })],
    ['of another amount', answered({ valor: { original: '0.01' } })],
    ['without a code or a location', answered({ location: undefined })],
  ])('is not made by an answer %s', async (_, answer) => {
    await expect(create(answer)).rejects.toThrow(MalformedAnswer);
  });

  it.each([
    ['nothing', NOT_FOUND],
    ['another amount', answered({ valor: { original: '0.01' } })],
    ['a charge that is over', answered({ status: 'REMOVIDA_PELO_PSP' })],
  ])('is refused for good where the look-up after it finds %s', async (_, get) => {
    await expect(create(problem(400, 'CobOperacaoInvalida'), get)).rejects.toThrow(ChargeRefused);
    await expect(create(problem(404, 'ChaveNaoEncontrada'), get)).rejects.toThrow(ChargeRefused);
    await expect(create(problem(422), get)).rejects.toThrow(ChargeRefused);
  });

  it('is not refused by a bare 404, nor where the look-up proves nothing', async () => {
    await expect(create(problem(404))).rejects.toThrow(RailUnavailable);
    for (const get of [problem(404), problem(422, 'X'), answered({ txid: 'another' })]) {
      await expect(create(problem(400, 'CobOperacaoInvalida'), get)).rejects.toThrow(RailUnavailable);
    }
  });
});

describe('a charge that is to be closed', () => {
  const cancel = (psp: Psp) => cobs(psp).cancel(charge.txid);
  const payment = { endToEndId: E2E, txid: charge.txid };
  const REMOVED = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
  const over = { calendario: { criacao: LONG_AGO, expiracao: 3600 } };

  it.each([
    ['removed', { change: answered(REMOVED) }],
    ['removed by the PSP', { change: answered({ status: 'REMOVIDA_PELO_PSP' }) }],
    ['active, and over', { change: answered(over) }],
    ['unknown, by name', { change: NOT_FOUND }],
    ['refused, and over', { change: problem(422, 'CobOperacaoInvalida'), get: answered(over) }],
  ])('cannot be paid any more where it is %s', async (_, psp) => {
    expect(await cancel(psp)).toEqual({ status: 'Cancelled' });
  });

  it.each([
    ['names its payment', { change: answered({ ...REMOVED, pix: [paid] }), payment }],
    ['names it after a refusal', { change: problem(400, 'X'), get: answered({ pix: [paid] }), payment }],
    ['does not, and the list does', { change: answered({ status: 'CONCLUIDA' }), listed: payment }],
  ])('was paid where the PSP %s', async (_, psp) => {
    expect(await cancel(psp)).toEqual({ status: 'Paid', payment });
  });

  it.each([
    ['is active still', { change: answered() }],
    ['was paid by nothing that is listed', { change: answered({ status: 'CONCLUIDA', ...over }) }],
    ['is in another state, and over', { change: answered({ status: 'SUSPENSA', ...over }) }],
    ['is another charge', { change: answered({ ...REMOVED, txid: 'another' }) }],
    ['is unknown to a proxy', { change: problem(404), get: problem(404) }],
    ['is refused without a look-up', { change: problem(422, 'X'), get: problem(500, 'X') }],
    ['names a payment that is unknown', { change: answered({ pix: [paid] }) }],
    ['names the payment of another', { change: answered({ pix: [paid] }), payment: { ...payment, txid: 'another' } }],
    ['names a payment of no charge', { change: answered({ pix: [paid] }), payment: { ...payment, txid: null } }],
  ])('is neither where it %s', async (_, psp) => {
    await expect(cancel(psp)).rejects.toThrow(RailUnavailable);
  });
});

import { describe, expect, it } from '@jest/globals';
import { RailUnavailable } from '../rail-errors.js';
import { MalformedAnswer, whole } from './answer-members.js';
import { readCob, readDevolucao, readPix, readPixPage } from './messages.js';

const E2E = 'E6070119020261120140412345678901';
const pix = { endToEndId: E2E, valor: '110.00', horario: '2026-11-20T14:04:05.358Z' };
const cob = {
  txid: '7978c0c97ea847e78e8849634473c1f1',
  calendario: { criacao: '2026-11-20T14:00:00.000Z', expiracao: 3600 },
  revisao: 0,
  status: 'ATIVA',
  valor: { original: '567.89' },
  chave: 'a@example.com',
};

const pageOf = (...listed: object[]) => ({ parametros: { paginacao: { quantidadeDePaginas: 1 } }, pix: listed });
const readPageTo = (pixKey: string) => (body: unknown) => whole(readPixPage(body, pixKey));

describe('answers of the API Pix', () => {
  it('a payment: amount in centavos, time, and no payer, as the standard has none', () => {
    expect(readPix({ ...pix, txid: cob.txid, chave: 'a@example.com' })).toEqual({
      payment: {
        endToEndId: E2E,
        txid: cob.txid,
        amount: 11_000n,
        at: new Date('2026-11-20T14:04:05.358Z'),
        payer: {},
      },
      key: 'a@example.com',
      devolucoes: [],
    });
  });

  it.each([
    [
      { nome: 'Maria', cpf: '52998224725' },
      { name: 'Maria', taxNumber: '52998224725' },
    ],
    [
      { nome: 'Loja', cnpj: '11222333000181' },
      { name: 'Loja', taxNumber: '11222333000181' },
    ],
    [{ contaBanco: { codigoBanco: '60701190' } }, { ispb: '60701190' }],
    [{ nome: 7, contaBanco: { codigoBanco: '260' } }, {}],
    [null, {}],
    [{ cpf: '529.982.247-25' }, { taxNumber: '52998224725' }],
  ])('a payment whose payer is named beyond the standard: %j', (pagador, payer) => {
    expect(readPix({ ...pix, pagador }).payment).toMatchObject({ txid: null, payer });
  });

  it('a payer’s name is cut between characters, and has no half of one', () => {
    const named = (nome: string) => readPix({ ...pix, pagador: { nome } }).payment.payer.name;
    expect(named('🙂'.repeat(200))).toBe('🙂'.repeat(140));
    expect(named('\ud800a')).toBe('\ufffda');
  });

  it.each(['\u0000', '\ud800', 'x'.repeat(101), ' ', 7, {}])(
    'a payment whose txid is %j is no charge’s: no event has such a text',
    (txid) => {
      expect(readPix({ ...pix, txid }).payment.txid).toBeNull();
      expect(readPix({ ...pix, txid: '***' }).payment.txid).toBe('***');
    },
  );

  it('a list: payments to our key, beside those to other keys of the account, whatever these lack', () => {
    const foreign = { endToEndId: null, valor: 3, chave: 'other@example.com' };
    const { pix: read } = readPixPage(pageOf(foreign, { ...pix, chave: 'a@example.com' }, pix), 'a@example.com');
    expect(read.map(({ key }) => key)).toEqual(['a@example.com', undefined]);
  });

  it('a payer whose tax number is masked, or is none, is not named by it', () => {
    for (const cpf of ['***.982.247-**', '52998224726', '\ud800', 7]) {
      expect(readPix({ ...pix, pagador: { cpf } }).payment.payer).toEqual({});
    }
  });

  it('a list: a payment that is not whole hides none of the others, and is told of; it proves nothing', () => {
    const broken = [{ ...pix, horario: null }, { ...pix, endToEndId: 'E1' }, null, [], 'x'];
    const page = pageOf(...(broken as object[]), pix);
    const read = readPixPage(page, 'a@example.com');
    expect(read.pix).toEqual([readPix(pix)]);
    expect(read.unread).toHaveLength(broken.length);
    expect(() => whole(read)).toThrow(MalformedAnswer);
  });

  it('a charge: its end by the PSP’s clock, its payments oldest first', () => {
    const later = { ...pix, endToEndId: E2E.replace('E', 'F'), horario: '2026-11-20T11:04:06-03:00' };
    const read = readCob({ ...cob, loc: { location: 'pix.example.com/qr/1' }, pix: [later, pix] });
    expect(read).toMatchObject({
      amount: 56_789n,
      expiresAt: new Date('2026-11-20T15:00:00.000Z'),
      location: 'pix.example.com/qr/1',
      pixCopiaECola: undefined,
    });
    expect(read.pix.map(({ payment }) => payment.endToEndId)).toEqual([pix.endToEndId, later.endToEndId]);
  });

  it('a charge without an expiry lives a day', () => {
    const { criacao } = cob.calendario;
    expect(readCob({ ...cob, calendario: { criacao } }).expiresAt).toEqual(new Date('2026-11-21T14:00:00.000Z'));
  });

  it('a member that is left out may be null', () => {
    expect(readCob({ ...cob, location: 'pix.example.com/qr/1', loc: null }).location).toBe('pix.example.com/qr/1');
    const devolucao = { id: 'D1', valor: '10.00', status: 'EM_PROCESSAMENTO', horario: null };
    expect(readDevolucao(devolucao).settledAt).toBeUndefined();
  });

  it('a refund under way has no time of settlement', () => {
    const devolucao = { id: 'D1', rtrId: 'D', valor: '10.00', status: 'EM_PROCESSAMENTO' };
    expect(readDevolucao({ ...devolucao, horario: { solicitacao: cob.calendario.criacao } })).toEqual({
      id: 'D1',
      amount: 1_000n,
      status: 'EM_PROCESSAMENTO',
      settledAt: undefined,
      reason: '',
      nature: '',
    });
  });

  it('a refund that is done has the time of its request, where none of its settlement is told', () => {
    const devolucao = {
      id: 'D1',
      valor: '10.00',
      status: 'DEVOLVIDO',
      horario: { solicitacao: cob.calendario.criacao },
    };
    expect(readDevolucao(devolucao)).toMatchObject({ settledAt: new Date(cob.calendario.criacao) });
  });

  it.each([
    ['no body', readCob, undefined],
    ['no txid', readCob, { ...cob, txid: undefined }],
    ['an amount that is a number', readCob, { ...cob, valor: { original: 567.89 } }],
    ['an amount with a comma', readPix, { ...pix, valor: '110,00' }],
    ['a negative amount', readPix, { ...pix, valor: '-1.00' }],
    ['an amount of nothing', readPix, { ...pix, valor: '0.00' }],
    ...[
      ...['7', '10.005', '+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00.000Z'],
      ...['9999-12-31T23:00:00-12:00', '0000-01-01T00:00:00+12:00'],
    ].map((horario) => [`a time as ${horario}`, readPix, { ...pix, horario }] as const),
    ...['E1', '\ud800'.padEnd(32, '0'), '\u0000'.padEnd(32, '0'), 'E'.repeat(33)].map(
      (endToEndId) => ['an EndToEndId of another shape', readPix, { ...pix, endToEndId }] as const,
    ),
    ['a refund whose identifier is none', readDevolucao, { id: '\ud800', valor: '1.00', status: 'DEVOLVIDO' }],
    ['a refund of nothing', readDevolucao, { id: 'D1', valor: '0.00', status: 'DEVOLVIDO' }],
    ...[1e300, -1, 1.5, 100_001, '1'].map(
      (quantidadeDePaginas) =>
        [
          `${quantidadeDePaginas} pages`,
          readPageTo('a@example.com'),
          { parametros: { paginacao: { quantidadeDePaginas } }, pix: [pix] },
        ] as const,
    ),
    ['a time that is none', readPix, { ...pix, horario: 'ontem' }],
    ['a life that is none', readCob, { ...cob, calendario: { ...cob.calendario, expiracao: 'um dia' } }],
    ['refunds that are no list', readPix, { ...pix, devolucoes: {} }],
    ['a list without its pages', readPageTo('a@example.com'), { parametros: {}, pix: [pix] }],
    ['a payment of the list that is not whole', readPageTo('a@example.com'), pageOf({ ...pix, valor: undefined })],
  ])('with %s prove nothing: the request is repeated', (_, read, body) => {
    expect(() => read(body)).toThrow(MalformedAnswer);
    expect(() => read(body)).toThrow(RailUnavailable);
  });
});

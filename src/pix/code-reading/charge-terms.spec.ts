import { describe, expect, it } from '@jest/globals';
import { readCharge } from './charge-terms.js';
import { type CodeRefusal, CodeRefused, type PaymentRefusal } from '../domain/code-refused.js';

const NOW = new Date('2026-11-24T12:00:00Z');
const KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
const cob = {
  txid: 'a'.repeat(26),
  revisao: 2,
  status: 'ATIVA',
  chave: KEY,
  calendario: { criacao: '2026-11-24T11:30:00Z', apresentacao: '2026-11-24T12:00:00Z', expiracao: 3600 },
  valor: { original: '123.45' },
  solicitacaoPagador: 'Pedido 7',
};
const cobv = {
  ...cob,
  calendario: {
    criacao: '2026-11-01T11:30:00Z',
    apresentacao: '2026-11-24T12:00:00Z',
    dataDeVencimento: '2026-11-20',
    validadeAposVencimento: 30,
  },
  devedor: { nome: 'Ana', cpf: '52998224725' },
  recebedor: { nome: 'Padaria Aurora', cnpj: '11222333000181' },
  valor: { original: '100.00', multa: '2.00', juros: '0.13', abatimento: '1.00', desconto: '0.50', final: '100.63' },
};

function refusalOf(payload: unknown, now = NOW): PaymentRefusal | undefined {
  try {
    readCharge(payload, now);
    return undefined;
  } catch (error) {
    if (error instanceof CodeRefused) return error.reason;
    throw error;
  }
}

describe('an immediate charge', () => {
  it('is read', () => {
    expect(readCharge(cob, NOW)).toEqual({
      txid: cob.txid,
      revision: 2,
      amount: 12_345n,
      payerMayChangeAmount: false,
      key: KEY,
      expiresAt: new Date('2026-11-24T12:30:00Z'),
      receiver: null,
      due: null,
      description: 'Pedido 7',
    });
  });

  it('lives a day where it does not say, and its numbers may be texts', () => {
    const { criacao, apresentacao } = cob.calendario;
    const charge = readCharge({ ...cob, revisao: '3', calendario: { criacao, apresentacao } }, NOW);
    expect(charge).toMatchObject({ revision: 3, expiresAt: new Date('2026-11-25T11:30:00Z') });
  });

  it('may leave the amount to the payer', () => {
    const charge = readCharge({ ...cob, valor: { original: '0.00', modalidadeAlteracao: 1 } }, NOW);
    expect(charge).toMatchObject({ amount: 0n, payerMayChangeAmount: true });
  });

  it('can be paid until its last moment', () => {
    expect(refusalOf(cob, new Date('2026-11-24T12:29:59.999Z'))).toBeUndefined();
    expect(refusalOf(cob, new Date('2026-11-24T12:30:00Z'))).toBe('QrCodeExpired');
  });
});

describe('a charge with a due date', () => {
  it('is read, with the amounts that its bank calculated for the day', () => {
    expect(readCharge(cobv, NOW)).toMatchObject({
      amount: 10_063n,
      payerMayChangeAmount: false,
      expiresAt: new Date('2026-12-21T03:00:00Z'),
      receiver: { name: 'Padaria Aurora', taxNumber: '11222333000181' },
      due: { date: '2026-11-20', original: 10_000n, interest: 13n, fine: 200n, rebate: 100n, discount: 50n },
    });
  });

  const due = (dataDeVencimento: string, validadeAposVencimento: number) => ({
    ...cobv,
    calendario: { ...cobv.calendario, dataDeVencimento, validadeAposVencimento },
  });

  it.each([
    ['a Friday', '2026-11-20', 0, '2026-11-21T03:00:00Z'],
    ['a Saturday: the Monday', '2026-11-21', 0, '2026-11-24T03:00:00Z'],
    ['a Sunday: the Monday', '2026-11-22', 0, '2026-11-24T03:00:00Z'],
    ['a Saturday, and two days more', '2026-11-21', 2, '2026-11-26T03:00:00Z'],
  ])('that is %s ends with that day in São Paulo', (_what, date, days, end) => {
    const charge = due(date, days);
    expect(readCharge(charge, new Date(Date.parse(end) - 1)).expiresAt).toEqual(new Date(end));
  });

  it.each([
    ['Christmas, a Friday: on the Monday', '2026-12-25', '2026-12-28T15:00:00Z'],
    ['the Friday before carnival, on holiday in its town: on the Wednesday', '2026-02-13', '2026-02-18T15:00:00Z'],
  ])('whose bank says on the next business day that it is active is not refused: %s', (_what, date, now) => {
    expect(refusalOf(due(date, 0), new Date(now))).toBeUndefined();
    expect(refusalOf({ ...due(date, 0), status: 'CONCLUIDA' }, new Date(now))).toBe('QrCodeNotActive');
  });

  it('that no holidays keep open is over, whatever its bank says', () => {
    expect(refusalOf(due('2026-11-20', 0), new Date('2026-11-28T02:59:59.999Z'))).toBeUndefined();
    expect(refusalOf(due('2026-11-20', 0), new Date('2026-11-28T03:00:00Z'))).toBe('QrCodeExpired');
  });
});

describe('what cannot be paid', () => {
  it.each<[string, CodeRefusal, object]>([
    ['was paid', 'QrCodeNotActive', { status: 'CONCLUIDA' }],
    ['was taken back', 'QrCodeNotActive', { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }],
    ['was taken back by the bank', 'QrCodeNotActive', { status: 'REMOVIDA_PELO_PSP' }],
    ['is of a state that nobody knows', 'QrCodeNotActive', { status: 'ativa' }],
    ['hands out cash', 'QrCodeKindNotSupported', { valor: { original: '0.00', retirada: { saque: {} } } }],
    ['pays to no key', 'QrCodeKeyInvalid', { chave: 'nobody' }],
    ['has no key', 'QrCodePayloadInvalid', { chave: undefined }],
    ['has no txid', 'QrCodePayloadInvalid', { txid: undefined }],
    ['has a txid with a sign in it', 'QrCodePayloadInvalid', { txid: 'a-b' }],
    ['has no revision', 'QrCodePayloadInvalid', { revisao: undefined }],
    ['has half a revision', 'QrCodePayloadInvalid', { revisao: 0.5 }],
    ['has no amount', 'QrCodePayloadInvalid', { valor: {} }],
    ['has an amount with a comma', 'QrCodePayloadInvalid', { valor: { original: '1,00' } }],
    ['has an amount that is a number', 'QrCodePayloadInvalid', { valor: { original: 1 } }],
    ['has an amount below nothing', 'QrCodePayloadInvalid', { valor: { original: '-1.00' } }],
    ['asks for nothing', 'QrCodePayloadInvalid', { valor: { original: '0.00' } }],
    ['may be changed a third way', 'QrCodePayloadInvalid', { valor: { original: '1.00', modalidadeAlteracao: 2 } }],
    ['has no calendar', 'QrCodePayloadInvalid', { calendario: null }],
    ['was made on no day', 'QrCodePayloadInvalid', { calendario: { criacao: '2026-13-40T00:00:00Z' } }],
    ['was made at no time', 'QrCodePayloadInvalid', { calendario: { criacao: '2026-11-24' } }],
    ['lives for a negative time', 'QrCodePayloadInvalid', { calendario: { ...cob.calendario, expiracao: -1 } }],
    ['lives for ever', 'QrCodePayloadInvalid', { calendario: { ...cob.calendario, expiracao: 1e12 } }],
  ])('%s', (_what, reason, change) => {
    expect(refusalOf({ ...cob, ...change })).toBe(reason);
  });

  it.each<[string, object]>([
    ['due on no day', { calendario: { ...cobv.calendario, dataDeVencimento: '2026-02-40' } }],
    ['due, and says no day', { calendario: cob.calendario }],
    ['due, without its final amount', { valor: { original: '1.00' } }],
    ['due, and nothing', { valor: { final: '0.00' } }],
    ['due to nobody', { recebedor: undefined }],
    ['due to a name longer than the API Pix has any', { recebedor: { ...cobv.recebedor, nome: 'A'.repeat(201) } }],
  ])('%s', (_what, change) => {
    expect(refusalOf({ ...cobv, ...change })).toBe('QrCodePayloadInvalid');
  });

  it.each([[null], ['text'], [[]], [7]])('%j', (payload) => {
    expect(refusalOf(payload)).toBe('QrCodePayloadInvalid');
  });
});

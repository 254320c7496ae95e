import { describe, expect, it } from '@jest/globals';
import { chargePayload, type PayableCharge } from './charge-payload.js';

const KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
const charge: PayableCharge = {
  txid: '0199d1f07c3b70019a4e3f1d2b5c6a7e',
  amount: 12_345n,
  createdAt: new Date('2026-11-20T12:00:00.250Z'),
  expiresAt: new Date('2026-11-20T13:00:00.250Z'),
  payer: { name: 'Fulano de Tal', taxNumber: '52998224725' },
  orderId: 'pedido-1',
  description: 'Uma caneca',
};
const at = new Date('2026-11-20T12:30:00.000Z');

describe('charge payload', () => {
  it('has the members of the schema CobPayload of the API Pix', () => {
    expect(chargePayload(charge, KEY, at)).toEqual({
      revisao: 0,
      calendario: { criacao: '2026-11-20T12:00:00.250Z', apresentacao: '2026-11-20T12:30:00.000Z', expiracao: 3600 },
      txid: '0199d1f07c3b70019a4e3f1d2b5c6a7e',
      valor: { original: '123.45', modalidadeAlteracao: 0 },
      chave: KEY,
      status: 'ATIVA',
      devedor: { nome: 'Fulano de Tal', cpf: '52998224725' },
      solicitacaoPagador: 'Uma caneca',
      infoAdicionais: [{ nome: 'Pedido', valor: 'pedido-1' }],
    });
  });

  it('names a company by its CNPJ', () => {
    const payer = { name: 'Loja Ltda', taxNumber: '12ABC34501DE35' };
    expect(chargePayload({ ...charge, payer }, KEY, at).devedor).toEqual({ nome: 'Loja Ltda', cnpj: '12ABC34501DE35' });
  });

  it.each([
    { name: '', taxNumber: '52998224725' },
    { name: 'Fulano de Tal', taxNumber: '' },
    { name: '', taxNumber: '' },
  ])('names no debtor where name or tax number is not known: %o', (payer) => {
    expect(chargePayload({ ...charge, payer }, KEY, at)).not.toHaveProperty('devedor');
  });

  it('asks the payer nothing where there is no description', () => {
    expect(chargePayload({ ...charge, description: '' }, KEY, at)).not.toHaveProperty('solicitacaoPagador');
  });

  it('cuts what it asks the payer at 140 characters, and between characters', () => {
    const asked = chargePayload({ ...charge, description: '😀'.repeat(141) }, KEY, at).solicitacaoPagador!;
    expect([...asked]).toHaveLength(140);
    expect(asked.isWellFormed()).toBe(true);
  });
});

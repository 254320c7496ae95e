import { describe, expect, it } from '@jest/globals';
import { encodeDynamicBrCode } from '../../domain/values/br-code.js';
import type { Charge } from '../pix-rail.js';
import { cobBody, codeOf } from './cobs.js';
import { MalformedAnswer } from './answer-members.js';

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

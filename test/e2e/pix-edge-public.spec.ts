import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compactVerify, createLocalJWKSet } from 'jose';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { parseBrCode } from '../../src/pix/domain/values/br-code.js';
import { eventually } from '../support/eventually.js';
import { pdfText } from '../support/pdf-text.js';
import { PAYER, PixEdge, PUBLIC_URL } from '../support/pix-edge.js';
import { ServiceEnded, startService } from '../support/service.js';

const UNKNOWN = '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e';

describe('what payers and their banks read', () => {
  let edge: PixEdge;
  beforeAll(async () => (edge = await PixEdge.start()));
  afterAll(() => edge.stop());

  /** The path behind the payload location of a code, as a payer's bank finds it. */
  const locationOf = (qrCode: string) => {
    const code = parseBrCode(qrCode);
    if (code.kind !== 'Dynamic') throw new Error(code.kind);
    return `https://${code.location}`;
  };
  const verify = async (jws: string) => {
    const jwks = (await edge.get('/pix/jwks')).body;
    return compactVerify(jws, createLocalJWKSet(jwks), { algorithms: ['ES256', 'PS256'] });
  };

  describe('the charge behind a code', () => {
    it('is signed, and tells the payer of the code what the partner asked for', async () => {
      const before = Date.now();
      const { id, qrCode } = await edge.cashIn('123.45', {
        payer: { name: 'Fulano de Tal', cpf: '529.982.247-25' },
        expiresIn: 600,
        orderDescription: 'Uma caneca',
      });
      const answer = await edge.get(locationOf(qrCode));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^application\/jose(;|$)/);
      expect(answer.headers.get('cache-control')).toBe('no-store');

      const { payload, protectedHeader } = await verify(answer.body);
      expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'JOSE', jku: `${PUBLIC_URL}/pix/jwks` });
      const charge = JSON.parse(new TextDecoder().decode(payload));
      const { criacao, apresentacao } = charge.calendario;
      expect(charge).toEqual({
        revisao: 0,
        calendario: { criacao, apresentacao, expiracao: expect.any(Number) },
        txid: id.replaceAll('-', ''),
        valor: { original: '123.45', modalidadeAlteracao: 0 },
        chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
        status: 'ATIVA',
        devedor: { nome: 'Fulano de Tal', cpf: '52998224725' },
        solicitacaoPagador: 'Uma caneca',
        infoAdicionais: [{ nome: 'Pedido', valor: 'pedido-1' }],
      });
      expect([599, 600]).toContain(charge.calendario.expiracao);
      for (const time of [criacao, apresentacao]) {
        expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
        expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
      }
    });

    it('is presented at the moment at which it is asked for, each time anew', async () => {
      const { qrCode } = await edge.cashIn('1.00');
      const read = async () => {
        const { payload } = await verify((await edge.get(locationOf(qrCode))).body);
        return JSON.parse(new TextDecoder().decode(payload)).calendario;
      };
      const first = await read();
      const later = await eventually(async () => {
        const again = await read();
        return again.apresentacao > first.apresentacao && again;
      });
      expect(later.criacao).toBe(first.criacao);
    });

    it('is not found under an address that no code of ours has', async () => {
      const payout = await edge.cashOut('1.00');
      for (const txid of [UNKNOWN.replaceAll('-', ''), payout.replaceAll('-', ''), UNKNOWN, 'x', '%00', "a'b"]) {
        const answer = await edge.get(`/pix/payload/${txid}`);
        expect([txid, answer.status]).toEqual([txid, 404]);
        expect(answer.body.error.name).toBe('EntityNotFound');
      }
    });
  });

  it('publishes the public key alone', async () => {
    const answer = await edge.get('/pix/jwks/');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/jwk-set\+json/);
    expect(answer.body.keys).toHaveLength(1);
    expect(Object.keys(answer.body.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  it('ends the start, by name, with a signing key that no payer could verify', async () => {
    const PAYLOAD_SIGNING_KEY = generateKeyPairSync('ed25519')
      .privateKey.export({ format: 'der', type: 'pkcs8' })
      .toString('base64');
    const start = startService(edge.database.url, { PUBLIC_URL, PAYLOAD_SIGNING_KEY });
    await expect(start).rejects.toThrow(ServiceEnded);
    await expect(start).rejects.toThrow(/^PAYLOAD_SIGNING_KEY: must be an elliptic key on P-256/m);
  });

  it.each(['nonsense', '52998224724', '529.982.247-25', 'Loja@Example.com', '61990000100'])(
    'ends the start, by name, with %s for a Pix key: no payer could pay it',
    async (PIX_KEY) => {
      const start = startService(edge.database.url, { PUBLIC_URL, PIX_KEY });
      await expect(start).rejects.toThrow(/^PIX_KEY: must be a CPF, a CNPJ, /m);
    },
  );

  describe('the image of a code', () => {
    it('decodes back to the very code', async () => {
      const { id, qrCode, qrCodeLocation } = await edge.cashIn('10.00');
      expect(qrCodeLocation).toBe(`${PUBLIC_URL}/pix/qrcode/${id}`);
      const answer = await edge.get(qrCodeLocation);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(answer.body).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
      const image = PNG.sync.read(Buffer.from(answer.body, 'base64'));
      expect(jsQR.default(new Uint8ClampedArray(image.data), image.width, image.height)?.data).toBe(qrCode);
    });

    it('is kept by nobody who does not ask each time, and who asks for one that he has gets 304 while it can be paid', async () => {
      const { qrCode, qrCodeLocation } = await edge.cashIn('10.00');
      const { qrCodeLocation: another } = await edge.cashIn('10.00');
      const ask = (path: string, known: string) =>
        fetch(path.replace(PUBLIC_URL, edge.service.url), { headers: { 'if-none-match': known }, cache: 'no-store' });
      const first = await edge.get(qrCodeLocation);
      expect(first.headers.get('cache-control')).toBe('no-cache');
      const tag = first.headers.get('etag')!;
      for (const known of [tag, tag.slice(2), '*', `"x", ${tag}`]) {
        const again = await ask(qrCodeLocation, known);
        expect([known, again.status, await again.text()]).toEqual([known, 304, '']);
        expect(again.headers.get('etag')).toBe(tag);
      }
      expect(await (await ask(qrCodeLocation, '"x"')).text()).toBe(first.body);
      expect((await ask(another, tag)).status).toBe(200);
      await edge.pay(qrCode);
      const gone = await ask(qrCodeLocation, tag);
      expect([gone.status, gone.headers.get('cache-control'), gone.headers.get('etag')]).toEqual([
        410,
        'no-store',
        null,
      ]);
    });

    it('is not found for what is no cash-in', async () => {
      const payout = await edge.cashOut('1.00');
      for (const id of [UNKNOWN, payout, 'x']) {
        const answer = await edge.get(`/pix/qrcode/${id}`);
        expect([id, answer.status, answer.body.error?.name]).toEqual([id, 404, 'EntityNotFound']);
      }
    });
  });

  describe('a charge that can no longer be paid', () => {
    const isGone = async ({ qrCode, qrCodeLocation }: { qrCode: string; qrCodeLocation: string }) => {
      for (const address of [locationOf(qrCode), qrCodeLocation]) {
        const answer = await edge.get(address);
        expect([address, answer.status]).toEqual([address, 410]);
        expect(answer.body).toEqual({ statusCode: 'Error', error: { name: 'Gone', message: expect.any(String) } });
      }
    };

    it('is gone once it was paid', async () => {
      const cashIn = await edge.cashIn('10.00');
      expect((await edge.get(cashIn.qrCodeLocation)).status).toBe(200);
      expect((await edge.pay(cashIn.qrCode)).body.data.outcome).toBe('Settled');
      await isGone(cashIn);
    });

    it('is gone once the partner took it back', async () => {
      const cashIn = await edge.cashIn('10.00');
      expect((await edge.api.post(`/accounts/pix/cashin/${cashIn.id}/cancel`)).status).toBe(200);
      await isGone(cashIn);
    });

    it('is gone when its time is over', async () => {
      const cashIn = await edge.cashIn('10.00', { expiresIn: 1 });
      await eventually(async () => (await edge.get(cashIn.qrCodeLocation)).status === 410);
      await isGone(cashIn);
    });
  });

  describe('the receipt', () => {
    const TAX_NUMBERS = ['52998224725', '529.982.247-25', '11144477735', '111.444.777-35'];
    const read = async (address: string) => {
      const response = await fetch(address.replace(PUBLIC_URL, edge.service.url));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      const { lines, raw } = pdfText(Buffer.from(await response.arrayBuffer()));
      for (const full of [...TAX_NUMBERS, edge.partner.taxNumber]) expect(raw).not.toContain(full);
      return lines;
    };
    const between = (lines: string[], from: string, to: string) => lines.slice(lines.indexOf(from), lines.indexOf(to));

    it('tells of a deposit who paid what to whom, with masked tax numbers', async () => {
      const { id, qrCode } = await edge.cashIn('1234.56');
      const { endToEndId } = (await edge.pay(qrCode)).body.data;
      const lines = await read(await edge.receiptAddress(id));
      expect(lines).toEqual(expect.arrayContaining(['R$ 1.234,56', endToEndId, 'pedido-1', id]));
      expect(between(lines, 'Pagador', 'Recebedor')).toEqual(expect.arrayContaining([PAYER.name, '***.982.247-**']));
      expect(lines.slice(lines.indexOf('Recebedor'))).toEqual(expect.arrayContaining(['Conta 1', '12345678']));
    });

    it('tells of a payout, with the sides the other way round', async () => {
      const id = await edge.cashOut('12.00');
      const { endToEndId } = await edge.reaches(id, 'Completed');
      const lines = await read(await edge.receiptAddress(id));
      expect(lines).toEqual(expect.arrayContaining(['Comprovante de pagamento Pix', 'R$ 12,00', endToEndId]));
      expect(between(lines, 'Pagador', 'Recebedor')).toContain('Conta 1');
      expect(lines.slice(lines.indexOf('Recebedor'))).toEqual(
        expect.arrayContaining(['Maria Silva', '***.444.777-**']),
      );
    });

    it('tells of money given back as a refund, from the partner to the payer', async () => {
      const { id, qrCode } = await edge.cashIn('20.00');
      await edge.pay(qrCode);
      const refund = await edge.api.post(`/accounts/pix/cashin/${id}/refunds`, { amount: '5.00' });
      const refundId = refund.body.data.transaction.id as string;
      await edge.reaches(refundId, 'Completed');
      const lines = await read(await edge.receiptAddress(refundId));
      expect(lines).toEqual(expect.arrayContaining(['Comprovante de devolução Pix', 'R$ 5,00']));
      expect(between(lines, 'Pagador', 'Recebedor')).toContain('Conta 1');
      expect(lines.slice(lines.indexOf('Recebedor'))).toContain(PAYER.name);
    });

    it('is not found with another token, for another transaction, or before completion: all look the same', async () => {
      const { id, qrCode } = await edge.cashIn('10.00');
      const { id: unpaid } = await edge.cashIn('10.00');
      await edge.pay(qrCode);
      const address = await edge.receiptAddress(id);
      const token = address.split('/').at(-1)!;
      expect((await fetch(address.replace(PUBLIC_URL, edge.service.url))).status).toBe(200);
      const wrong = [
        `/pix/receipts/${id}/${token.slice(0, -1)}`,
        `/pix/receipts/${id}/${token.split('').reverse().join('')}`,
        `/pix/receipts/${unpaid}/${token}`,
        `/pix/receipts/${unpaid}/undefined`,
        `/pix/receipts/${unpaid}/null`,
        `/pix/receipts/${UNKNOWN}/${token}`,
        `/pix/receipts/x/${token}`,
      ];
      for (const path of wrong) {
        const answer = await edge.get(path);
        expect([path, answer.status, answer.body.error?.details.entityName]).toEqual([path, 404, 'ReceiptEntity']);
      }
    });
  });
});

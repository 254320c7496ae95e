import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CompactSign } from 'jose';
import { withChecksum } from '../../src/pix/domain/values/br-code-encoder.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { charge, CHARGE_KEY, ChargeBank, codeAt, says, type Signing, SIGNERS } from '../support/charge-bank.js';
import { codeOfOurKey } from '../support/code-of-our-key.js';
import { PixEdge } from '../support/pix-edge.js';
import { pixVectors } from '../support/pix-vectors.js';

let bank: ChargeBank;
let edge: PixEdge;

beforeAll(async () => {
  bank = await ChargeBank.start();
  edge = await PixEdge.start(bank.settings);
}, 60_000);
beforeEach(() => bank.reset());
afterAll(async () => {
  await edge.stop();
  await bank.stop();
});

const decode = async (qrCode: string) => {
  const { status, body } = await edge.api.post('/accounts/pix/qrcode/decode', { qrCode });
  expect(status).toBe(200);
  return body.data;
};
const decodeAt = (path = '/qr/1') => decode(codeAt(`${bank.host}${path}`));
const reasonAt = async (path?: string) => {
  const { canBePaid, refusal, receiver, amount } = await decodeAt(path);
  expect({ canBePaid, key: receiver.key, amount }).toEqual({ canBePaid: false, key: null, amount: null });
  expect(refusal.message).toMatch(/\.$/);
  return refusal.reason;
};

describe('a code of another institution', () => {
  it.each<[string, Signing]>([
    ['an elliptic key', {}],
    ['RSA with PSS', { key: SIGNERS.rsa.privateKey, alg: 'PS256', kid: 'k2' }],
    ['RSA, as in the BCB’s example', { key: SIGNERS.rsa.privateKey, alg: 'RS256', kid: 'k2' }],
  ])('is fetched, and its signature verified: %s', async (_what, signing) => {
    bank.pages.set('/qr/1', says(await bank.signed(charge({ solicitacaoPagador: 'Pedido 7' }), signing)));
    const { expiresAt, ...decoded } = await decodeAt();
    expect(decoded).toEqual({
      kind: 'Dynamic',
      canBePaid: true,
      refusal: null,
      receiver: { name: 'Padaria Aurora', city: 'SAO PAULO', taxNumber: null, key: CHARGE_KEY },
      amount: '12.34',
      payerMayChangeAmount: false,
      txid: 'pedido7pedido7pedido7pedido7',
      description: 'Pedido 7',
      due: null,
    });
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(bank.asked).toEqual(['/qr/1', '/jwks']);
  });

  it('with a due date says what is due today', async () => {
    const calendario = { criacao: new Date().toISOString(), dataDeVencimento: '2099-11-20', validadeAposVencimento: 3 };
    const recebedor = { nome: 'Padaria Aurora Ltda', cnpj: '11222333000181' };
    const valor = { original: '100.00', multa: '2.00', juros: '0.13', final: '102.13' };
    bank.pages.set('/qr/1', says(await bank.signed(charge({ calendario, recebedor, valor }))));
    expect(await decodeAt()).toMatchObject({
      canBePaid: true,
      receiver: { name: 'Padaria Aurora Ltda', taxNumber: '11222333000181' },
      amount: '102.13',
      due: { date: '2099-11-20', original: '100.00', interest: '0.13', fine: '2.00', rebate: null, discount: null },
      expiresAt: '2099-11-24T03:00:00.000Z',
    });
  });

  it.each<[string, string, object]>([
    ['that is over', 'QrCodeExpired', { calendario: { criacao: '2026-01-01T00:00:00Z', expiracao: 60 } }],
    ['that was paid', 'QrCodeNotActive', { status: 'CONCLUIDA' }],
    ['for cash', 'QrCodeKindNotSupported', { valor: { original: '0.00', retirada: { saque: { valor: '5.00' } } } }],
    ['without a txid', 'QrCodePayloadInvalid', { txid: undefined }],
    ['to what is no key', 'QrCodeKeyInvalid', { chave: 'nobody' }],
  ])('%s cannot be paid: %s', async (_what, reason, change) => {
    bank.pages.set('/qr/1', says(await bank.signed(charge(change))));
    expect(await reasonAt()).toBe(reason);
  });

  it.each<[string, Signing]>([
    ['a key that is not in the set', { key: SIGNERS.stranger.privateKey }],
    ['a key identifier that is not in the set', { kid: 'k9' }],
    ['another key of the set', { kid: 'k2' }],
    ['a key set of another host', { jku: 'https://elsewhere.example/jwks' }],
    ['a key set of another port', { jku: 'https://localhost:1/jwks' }],
    ['a key set over http', { jku: 'http://localhost/jwks' }],
    ['no address of a key set', { jku: 'jwks' }],
  ])('is refused with %s', async (_what, signing) => {
    bank.pages.set('/qr/1', says(await bank.signed(charge(), signing)));
    expect(await reasonAt()).toBe('QrCodeSignatureInvalid');
    expect(bank.asked.filter((path) => path !== '/jwks')).toEqual(['/qr/1']);
  });

  it('is refused with a secret for a key, with no signature, and changed after it was signed', async () => {
    const secret = await new CompactSign(new TextEncoder().encode(JSON.stringify(charge())))
      .setProtectedHeader({ alg: 'HS256', kid: 'k1', jku: `https://${bank.host}/jwks` })
      .sign(new TextEncoder().encode('x'.repeat(32)));
    const [, body, signature] = (await bank.signed(charge())).split('.');
    const [header] = (await bank.signed(charge())).split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid: 'k1', jku: `https://${bank.host}/jwks` }));
    const dearer = Buffer.from(JSON.stringify(charge({ valor: { original: '1234.00' } }))).toString('base64url');
    for (const jws of [
      secret,
      `${none.toString('base64url')}.${body}.`,
      `${header}.${dearer}.${signature}`,
      JSON.stringify(charge()),
      '',
    ]) {
      bank.pages.set('/qr/1', says(jws));
      expect(await reasonAt()).toBe('QrCodeSignatureInvalid');
    }
  });

  it('that is signed, and no charge, is none', async () => {
    for (const payload of ['[]', 'null', '"text"']) {
      bank.pages.set('/qr/1', says(await bank.signed(payload)));
      expect(await reasonAt()).toBe('QrCodePayloadInvalid');
    }
    bank.pages.set('/qr/1', says(await bank.signed('{')));
    expect(await reasonAt()).toBe('QrCodeSignatureInvalid');
  });

  it('that its bank does not know, or has no more, is unknown', async () => {
    expect(await reasonAt('/qr/2')).toBe('QrCodeUnknown');
    bank.pages.set('/qr/1', (response) => void response.writeHead(410).end());
    expect(await reasonAt()).toBe('QrCodeUnknown');
  });

  it('is asked for over https at public addresses only, within 64 KiB, and no redirect is followed', async () => {
    const good = await bank.signed(charge());
    bank.pages.set('/good', says(good));
    bank.pages.set('/moved', (response) => void response.writeHead(302, { location: '/good' }).end(good));
    bank.pages.set('/fault', (response) => void response.writeHead(500).end(good));
    bank.pages.set('/long', says(good + ' '.repeat(70_000)));
    for (const path of ['/moved', '/fault', '/long']) expect(await reasonAt(path)).toBe('QrCodeUnreachable');
    bank.asked = [];
    for (const location of ['10.0.0.1/qr', '169.254.169.254/latest/meta-data', 'intranet/qr', 'db.internal/qr']) {
      expect((await decode(codeAt(location))).refusal.reason).toBe('QrCodeUnreachable');
    }
    expect(bank.asked).toEqual([]);
  });
});

describe('a bank that never answers', () => {
  it('holds up who asked for it, for five seconds, and no other partner', async () => {
    const other = await new OperatorApi(edge.service.url).partner(['0.00']);
    const api = await PartnerApi.login(edge.service.url, other.credentials);
    bank.pages.set('/hangs', () => undefined);
    bank.pages.set('/qr/1', says(await bank.signed(charge())));
    let answered = 0;
    const held = Array.from({ length: 6 }, () =>
      edge.api
        .post('/accounts/pix/qrcode/decode', { qrCode: codeAt(`${bank.host}/hangs`) })
        .finally(() => (answered += 1)),
    );
    const { body } = await api.post('/accounts/pix/qrcode/decode', { qrCode: codeAt(`${bank.host}/qr/1`) });
    expect(body.data.canBePaid).toBe(true);
    expect(answered).toBe(0);
    const answers = await Promise.all(held);
    const told = answers.map(({ status, body }) => (status === 200 ? body.data.refusal.reason : body.error.name));
    // The last two wait for the first to end, and may be told to come again.
    expect(told.filter((one) => !['QrCodeUnreachable', 'ServiceUnavailable'].includes(one))).toEqual([]);
    expect(told.filter((one) => one === 'QrCodeUnreachable').length).toBeGreaterThanOrEqual(4);
  });
});

describe('a code of our own', () => {
  it('is read without a way round, until it is paid', async () => {
    const { id, qrCode } = await edge.cashIn('7.00');
    expect(await decode(qrCode)).toMatchObject({ canBePaid: true, amount: '7.00', txid: id.replaceAll('-', '') });
    await edge.pay(qrCode);
    expect(await decode(qrCode)).toMatchObject({ canBePaid: false, refusal: { reason: 'QrCodeNotActive' } });
    const nobody = codeAt(`pix.exemplo.br/pix/payload/${'0'.repeat(32)}`);
    expect((await decode(nobody)).refusal.reason).toBe('QrCodeUnknown');
  });
});

describe('a code with a key', () => {
  it('says what it asks for, and leaves the amount to the payer where it says none', async () => {
    const codes = pixVectors.brCodes.valid.filter((code) => !code.includes('pix.example.com'));
    const amounts: unknown[] = [];
    for (const code of codes) {
      const { kind, canBePaid, amount, payerMayChangeAmount, receiver } = await decode(code);
      expect({ kind, canBePaid, payerMayChangeAmount }).toEqual({
        kind: 'Static',
        canBePaid: true,
        payerMayChangeAmount: amount === null,
      });
      amounts.push([receiver.key, amount]);
    }
    expect(amounts).toEqual([
      ['123e4567-e12b-12d1-a456-426655440000', null],
      ['cliente-a00001@pix.bcb.gov.br', '123.45'],
      ['pix@bcb.gov.br', '10.00'],
      ['12ABC34501DE35', '1.00'],
    ]);
  });

  it('or with a charge that asks for nothing leaves the amount to the payer', async () => {
    const open = { canBePaid: true, amount: null, payerMayChangeAmount: true };
    for (const amount of ['0', '0.00']) expect(await decode(codeOfOurKey(amount))).toMatchObject(open);
    const valor = { original: '0.00', modalidadeAlteracao: 1 };
    bank.pages.set('/qr/1', says(await bank.signed(charge({ valor }))));
    expect(await decodeAt()).toMatchObject(open);
  });

  it('that is none, and one for cash, cannot be paid', async () => {
    const code = (template: string) =>
      withChecksum(
        `000201${`26${String(template.length).padStart(2, '0')}${template}`}5204000053039865802BR5904Loja6009SAO PAULO62070503***`,
      );
    const gui = '0014br.gov.bcb.pix';
    expect((await decode(code(`${gui}0106nobody`))).refusal.reason).toBe('QrCodeKeyInvalid');
    expect((await decode(code(`${gui}0114pix@bcb.gov.br030812345678`))).refusal.reason).toBe('QrCodeKindNotSupported');
  });

  it.each(pixVectors.brCodes.invalid)('is refused where it is not whole: $why', async ({ code }) => {
    const { status, body } = await edge.api.post('/accounts/pix/qrcode/decode', { qrCode: code });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ path: 'qrCode', code: 'InvalidFormat' }]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withChecksum } from '../../src/pix/domain/values/br-code-encoder.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { charge, CHARGE_KEY, ChargeBank, codeAt } from '../support/charge-bank.js';
import { eventually } from '../support/eventually.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import { PixEdge } from '../support/pix-edge.js';

let bank: ChargeBank;
let edge: PixEdge;
let receiver: PartnerApi;
let receivers: readonly string[];
beforeAll(async () => {
  bank = await ChargeBank.start();
  edge = await PixEdge.start(bank.settings);
  const partner = await new OperatorApi(edge.service.url).partner(['0.00']);
  receivers = partner.accounts;
  receiver = await PartnerApi.login(edge.service.url, partner.credentials);
}, 60_000);
afterAll(async () => {
  await assertLedgerSound(edge.database);
  await edge.stop();
  await bank.stop();
});

const field = (id: string, value: string) => `${id}${String(value.length).padStart(2, '0')}${value}`;
function staticCode(key: string, amount?: string): string {
  const template = field('26', field('00', 'br.gov.bcb.pix') + field('01', key));
  const asked = amount === undefined ? '' : field('54', amount);
  return withChecksum(`000201${template}520400005303986${asked}5802BR5904Loja6009SAO PAULO62070503***`);
}

const body = (qrCode: string, payment: object = {}) => ({
  payment: { qrCode, ...payment },
  transaction: { orderId: 'order-1' },
  webhook: WEBHOOK,
});
const pay = (qrCode: string, payment?: object, key: string = crypto.randomUUID()) =>
  edge.api.post('/accounts/pix/cashout', body(qrCode, payment), { 'idempotency-key': key });
async function paid(qrCode: string, payment?: object) {
  const answer = await pay(qrCode, payment);
  expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  return reaches(answer.body.data.transaction.id, 'Completed');
}
const reaches = (id: string, state: string) =>
  eventually(async () => {
    const found = await edge.transaction(id);
    return found.state === state && found;
  });
const reasonOf = async (qrCode: string, payment?: object) => {
  const before = await edge.api.balance(edge.partner.accounts[0]!);
  const { status, body } = await pay(qrCode, payment);
  expect([status, body.error.name]).toEqual([422, 'OperationError']);
  expect(await edge.api.balance(edge.partner.accounts[0]!)).toEqual(before);
  return body.error.details.reason;
};
const recipient = { name: 'Maria Silva', cpf: '52998224725' };

/** A deposit that another partner of the same service waits for. */
async function deposit(original: string) {
  const answer = await receiver.post('/accounts/pix/cashin', {
    payment: { value: { original } },
    transaction: { orderId: 'order-2' },
    webhook: WEBHOOK,
  });
  return { id: answer.body.data.transaction.id, qrCode: answer.body.data.payment.qrCode };
}

describe('a code with a key', () => {
  it('is paid as it says: the amount is its own, and so is the key', async () => {
    const done = await paid(staticCode('pix@bcb.gov.br', '10.00'));
    expect(done).toMatchObject({ amount: '10.00', state: 'Completed' });
    const { body } = await edge.api.get(`/accounts/transactions/${done.id}`);
    expect(body.data.transaction.payment ?? body.data.payment).toMatchObject({
      method: 'QrCode',
      key: { type: 'EMAIL', value: 'pix@bcb.gov.br' },
      recipient: { name: 'Loja', cpf: '' },
    });
  });

  it('is paid with what the partner says where it leaves the amount open', async () => {
    const code = staticCode('pix@bcb.gov.br');
    expect((await paid(code, { value: '3.21' })).amount).toBe('3.21');
    expect(await reasonOf(code)).toBe('QrCodeAmountRequired');
  });

  it('is paid with value and recipient where they agree, and not where they do not', async () => {
    const code = staticCode(recipient.cpf, '10.00');
    expect((await paid(code, { value: '10.00', recipient })).amount).toBe('10.00');
    expect(await reasonOf(code, { value: '10.01' })).toBe('QrCodeAmountMismatch');
    expect(await reasonOf(code, { recipient: { cpf: '11144477735' } })).toBe('QrCodeRecipientMismatch');
  });

  it('whose key DICT does not know ends in an error, and nothing stays held', async () => {
    const answer = await pay(staticCode('nobody+notfound@example.com', '1.00'));
    const { errorReason } = await reaches(answer.body.data.transaction.id, 'Error');
    expect(errorReason).toBe('KeyNotFound');
    expect((await edge.api.balance(edge.partner.accounts[0]!)).held).toBe('0.00');
  });

  it('is held to the limits and the balance like any payout', async () => {
    const { status, body } = await pay(staticCode('pix@bcb.gov.br', '999999.00'));
    expect([status, body.error.details.reason]).toEqual([422, 'CustomerAccountInsufficientFunds']);
  });
});

describe('a code of a charge', () => {
  it('of this service pays the deposit behind it, once', async () => {
    const before = Number((await receiver.balance(receivers[0]!)).available);
    const { id, qrCode } = await deposit('25.00');
    expect((await paid(qrCode)).amount).toBe('25.00');
    await eventually(async () => {
      const { body } = await receiver.get(`/accounts/transactions/${id}`);
      return body.data.transaction.state === 'Completed';
    });
    expect(Number((await receiver.balance(receivers[0]!)).available) - before).toBeCloseTo(25);
    expect(await reasonOf(qrCode)).toBe('QrCodeNotActive');
  });

  it.each(['whole', 'in parts, and held for a while'])(
    'of this service, whose deposit gives it back, brings it back to the payout: %s',
    async (how) => {
      const { id, qrCode } = await deposit('30.00');
      const payout = await paid(qrCode);
      await eventually(async () => {
        const { body } = await receiver.get(`/accounts/transactions/${id}`);
        return body.data.transaction.state === 'Completed';
      });
      const before = Number((await edge.api.balance(edge.partner.accounts[0]!)).available);
      for (const amount of how === 'whole' ? ['30.00'] : ['10.00', '20.00']) {
        if (how !== 'whole') await edge.behave({ refunds: 'hold' });
        const { body } = await receiver.post(`/accounts/pix/cashin/${id}/refunds`, { amount });
        if (how === 'whole') continue;
        await eventually(async () => (await edge.force(body.data.transaction.id, 'complete')).status === 200);
        await edge.behave({ refunds: 'settle' });
      }
      await eventually(
        async () => Number((await edge.api.balance(edge.partner.accounts[0]!)).available) === before + 30,
      );
      expect((await edge.transaction(payout.id)).state).toBe('Completed');
    },
  );

  it('of this service that was paid already brings the second payment back to its payout', async () => {
    const { id, qrCode } = await deposit('12.00');
    const before = Number((await edge.api.balance(edge.partner.accounts[0]!)).available);
    // Both are accepted before either is paid.
    await Promise.all([pay(qrCode), pay(qrCode)]);
    await eventually(async () => {
      const { body } = await receiver.get(`/accounts/transactions/${id}`);
      return body.data.transaction.state === 'Completed';
    });
    await eventually(async () => Number((await edge.api.balance(edge.partner.accounts[0]!)).available) === before - 12);
    const [kept] = await edge.database.query<{ unmatched: string }>(
      `select count(*) as unmatched from event where type = 'UnmatchedReturnReceived'`,
    );
    expect(kept!.unmatched).toBe('0');
  });

  it('is answered again as it was, also once it is paid', async () => {
    const { qrCode } = await deposit('5.00');
    const first = await pay(qrCode, {}, 'code-once');
    await reaches(first.body.data.transaction.id, 'Completed');
    const again = await pay(qrCode, {}, 'code-once');
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is not paid with another amount, nor where nobody knows it', async () => {
    const { qrCode } = await deposit('6.00');
    expect(await reasonOf(qrCode, { value: '5.99' })).toBe('QrCodeAmountMismatch');
    expect(await reasonOf(codeAt(`pix.exemplo.br/pix/payload/${'0'.repeat(32)}`))).toBe('QrCodeUnknown');
    expect(await reasonOf(codeAt('10.0.0.1/qr'))).toBe('QrCodeUnreachable');
  });

  it('of another institution is fetched, and paid to its key', async () => {
    const { id, amount } = await paid(await bank.serve(charge()));
    expect(amount).toBe('12.34');
    const { body } = await edge.api.get(`/accounts/transactions/${id}`);
    expect(body.data.payment).toMatchObject({
      method: 'QrCode',
      key: { type: 'EVP', value: CHARGE_KEY },
      recipient: { name: 'Padaria Aurora' },
    });
    const open = await bank.serve(charge({ valor: { original: '12.34', modalidadeAlteracao: 1 } }));
    expect((await paid(open, { value: '15.00' })).amount).toBe('15.00');
  });

  it('is fetched once for a request that is repeated', async () => {
    const code = await bank.serve(charge());
    const first = await pay(code, {}, 'fetched-once');
    await reaches(first.body.data.transaction.id, 'Completed');
    const asked = bank.asked.length;
    expect((await pay(code, {}, 'fetched-once')).body).toEqual(first.body);
    expect(bank.asked).toHaveLength(asked);
  });

  it('is fetched once for two requests under one key: the second is not refused while the first pays', async () => {
    const url = '/qr/together';
    const code = await bank.serve(charge(), url);
    const page = bank.pages.get(url)!;
    bank.pages.set(url, (response) => {
      bank.pages.set(url, (refused) => void refused.writeHead(500).end());
      setTimeout(() => page(response), 500);
    });
    const first = pay(code, {}, 'fetched-together');
    await eventually(() => Promise.resolve(bank.asked.includes(url)));
    const second = await pay(code, {}, 'fetched-together');
    expect([second.status, second.body]).toEqual([201, (await first).body]);
    await reaches(second.body.data.transaction.id, 'Completed');
    // A refusal is nobody else's: the next one asks again.
    expect((await pay(code, {}, 'fetched-alone')).status).toBe(422);
    bank.pages.set(url, page);
    const alone = await pay(code, {}, 'fetched-alone');
    await reaches(alone.body.data.transaction.id, 'Completed');
  });

  it.each(['a dry run', 'a request that was refused'])('that was taken back after %s is not paid', async (before) => {
    const { id, qrCode } = await deposit(before === 'a dry run' ? '7.00' : '90000.00');
    const key = crypto.randomUUID();
    const path = `/accounts/pix/cashout${before === 'a dry run' ? '?dryRun=true' : ''}`;
    const { status } = await edge.api.post(path, body(qrCode), { 'idempotency-key': key });
    expect(status).toBe(before === 'a dry run' ? 200 : 422);
    expect((await receiver.post(`/accounts/pix/cashin/${id}/cancel`, {})).status).toBe(200);
    const { body: answer } = await pay(qrCode, {}, key);
    expect(answer.error?.details.reason).toBe('QrCodeNotActive');
  });

  it('with a due date is paid with what is due today, to whom it names', async () => {
    const code = await bank.serve(
      charge({
        calendario: { criacao: new Date().toISOString(), dataDeVencimento: '2099-11-20', validadeAposVencimento: 3 },
        recebedor: { nome: 'Padaria Aurora Ltda', cnpj: '11222333000181' },
        valor: { original: '100.00', multa: '2.00', juros: '0.13', final: '102.13' },
      }),
    );
    expect(await reasonOf(code, { value: '100.00' })).toBe('QrCodeAmountMismatch');
    expect(await reasonOf(code, { recipient })).toBe('QrCodeRecipientMismatch');
  });

  it('whose signature is not its bank’s, or whose time is over, is refused, and nothing is held', async () => {
    const code = await bank.serve(charge({ calendario: { criacao: '2026-01-01T00:00:00Z', expiracao: 60 } }));
    expect(await reasonOf(code)).toBe('QrCodeExpired');
    bank.pages.delete('/jwks');
    expect(await reasonOf(await bank.serve(charge()))).toBe('QrCodeUnknown');
  });
});

describe('the body', () => {
  const faults = async (payment: object) => {
    const { status, body: answer } = await edge.api.post('/accounts/pix/cashout', {
      payment,
      transaction: { orderId: 'order-1' },
      webhook: WEBHOOK,
    });
    expect(status).toBe(400);
    return answer.error.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
  };
  const code = () => staticCode('pix@bcb.gov.br', '10.00');

  it('has a code that is whole, and no key and no account beside it', async () => {
    expect(await faults({ qrCode: `${code()}0` })).toEqual(['payment.qrCode InvalidFormat']);
    expect(await faults({ qrCode: 7 })).toEqual(['payment.qrCode InvalidType']);
    const account = { ispb: '60701190', branch: '0001', number: '123456', digit: '7' };
    const key = { type: 'EMAIL', value: 'maria@example.com' };
    expect(await faults({ qrCode: code(), key, recipient: { ...recipient, account } })).toEqual([
      'payment.key NotAllowed',
      'payment.recipient.account NotAllowed',
    ]);
  });

  it('has value and recipient where it has no code', async () => {
    expect(await faults({})).toEqual(expect.arrayContaining(['payment.value Required', 'payment.recipient Required']));
    expect(await faults({ qrCode: null })).toEqual(
      expect.arrayContaining(['payment.value Required', 'payment.recipient Required']),
    );
  });

  it('is checked beside a code as without one', async () => {
    expect(await faults({ qrCode: code(), recipient: { cpf: '123' } })).toEqual([
      'payment.recipient.cpf InvalidFormat',
    ]);
    const { status } = await pay(code(), { value: '0.00' });
    expect(status).toBe(400);
  });
});

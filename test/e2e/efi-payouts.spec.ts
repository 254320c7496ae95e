import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { codeAt } from '../support/charge-bank.js';
import type { TestDatabase } from '../support/database.js';
import { KEYS, REFUSED_AMOUNT } from '../support/efi-books.js';
import type { EfiPsp } from '../support/efi-psp.js';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';
import { eventually } from '../support/eventually.js';
import { PSP_KEY } from '../support/model-psp-books.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { pdfText } from '../support/pdf-text.js';
import { pixVectors } from '../support/pix-vectors.js';
import type { Service } from '../support/service.js';
import { sweepAt } from '../support/sweep.js';

const SEND = /^PUT \/v3\/gn\/pix\//;
const LOOK_UP = /^GET \/v2\/gn\/pix\/enviados\/id-envio\//;

let world: EfiWorld;
let psp: EfiPsp;
let database: TestDatabase;
let service: Service;
let receiver: PartnerReceiver;
let partner: TestPartner;
let api: PartnerApi;

beforeAll(async () => {
  world = await efiWorld('1000.00');
  ({ psp, database, service, partner, api } = world);
  receiver = await PartnerReceiver.start([partner.webhookSecret]);
}, 60_000);
afterEach(() => world.calm());
afterAll(async () => {
  await world.stop();
  await receiver.stop();
});

const MARIA = { name: 'Maria Silva', cpf: '52998224725' };
const ACCOUNT = { ispb: '60701190', branch: '0001', number: '1234567', digit: '8' };
const key = (value = 'maria@example.com') => ({ key: { type: 'EMAIL', value }, recipient: MARIA });
const byAccount = (more: object = {}) => ({ recipient: { ...MARIA, account: { ...ACCOUNT, ...more } } });
const ask = (value: string, payment: object = key(), caller = api) =>
  caller.post('/accounts/pix/cashout', {
    payment: { value, ...payment },
    transaction: { orderId: 'pedido-1', orderDescription: 'Fornecedor' },
    webhook: { url: receiver.url('/hook') },
  });
async function payOut(value: string, payment?: object, caller = api): Promise<{ id: string; idEnvio: string }> {
  const answer = await ask(value, payment, caller);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const { id } = answer.body.data.transaction;
  return { id, idEnvio: txidOf(id) };
}
const sentAs = async (idEnvio: string) => (await psp.sent()).find((one) => one.idEnvio === idEnvio);
const taken = (idEnvio: string) => eventually(() => sentAs(idEnvio), { within: 20_000 });
const types = async (id: string) =>
  (await database.query(`select type from event where stream = $1 order by position`, [`cash-out-${id}`])).map(
    ({ type }) => type,
  );

describe('a payout over Efí', () => {
  it('by key is sent under an identifier of ours, learns its EndToEndId and is completed', async () => {
    const before = await world.balance();
    const { id, idEnvio } = await payOut('10.50');
    const done = await world.reaches(id, 'Completed');
    const sent = await taken(idEnvio);
    expect(done.endToEndId).toBe(sent.endToEndId);
    expect(sent.body).toEqual({
      valor: '10.50',
      pagador: { chave: PSP_KEY, infoPagador: 'Fornecedor' },
      favorecido: { chave: 'maria@example.com', cpf: MARIA.cpf },
    });
    expect(await types(id)).toEqual(['CashOutRegistered', 'CashOutNamed', 'CashOutCompleted']);
    const after = await world.balance();
    expect(Number(before.available) - Number(after.available)).toBeCloseTo(10.5);
    expect(after.held).toBe('0.00');
    const found = await api.get(`/accounts/transactions?endToEndId=${sent.endToEndId}`);
    expect(found.body.data.items).toHaveLength(1);
    const told = await eventually(() => receiver.at('/hook').find(({ body }) => body.includes(id)));
    expect(JSON.parse(told.body)).toMatchObject({ transactionReceiptVoucher: sent.endToEndId });
  });

  it('by account carries the account as the PSP writes it', async () => {
    const { id, idEnvio } = await payOut('3.00', byAccount({ type: 'SavingsAccount' }));
    await world.reaches(id, 'Completed');
    expect((await taken(idEnvio)).body.favorecido).toEqual({
      contaBanco: {
        nome: 'Maria Silva',
        cpf: MARIA.cpf,
        codigoBanco: '60701190',
        agencia: '0001',
        conta: '12345678',
        tipoConta: 'svgs',
      },
    });
  });

  it('by account whose check digit is X carries it as 0: the PSP takes digits alone', async () => {
    const { id, idEnvio } = await payOut('3.10', byAccount({ digit: 'X' }));
    await world.reaches(id, 'Completed');
    expect((await sentAs(idEnvio))!.body.favorecido.contaBanco).toMatchObject({ conta: '12345670' });
  });

  it('by a code that names key and amount is paid by the code, and by one that leaves the amount open to its key', async () => {
    const [open, , , fixed] = pixVectors.brCodes.valid;
    const { id, idEnvio } = await payOut('10.00', { qrCode: fixed });
    await world.reaches(id, 'Completed');
    const [request] = await psp.asked(new RegExp(`${idEnvio}/qrcode`));
    const pagador = { chave: PSP_KEY, infoPagador: 'Fornecedor' };
    expect(request!.body).toEqual({ pagador, pixCopiaECola: fixed });
    const toKey = await payOut('2.00', { qrCode: open });
    await world.reaches(toKey.id, 'Completed');
    expect((await taken(toKey.idEnvio)).body).toEqual({
      valor: '2.00',
      pagador,
      favorecido: { chave: '123e4567-e12b-12d1-a456-426655440000' },
    });
  });

  it('by a code of a charge is refused: its receiver could change the amount once it was checked', async () => {
    const { status, body } = await ask('1.00', { qrCode: codeAt('10.0.0.1/qr') });
    expect([status, body.error.details.reason]).toEqual([422, 'QrCodeKindNotSupported']);
  });

  it.each([
    ['a key and an account, which nobody can compare', { ...key(), ...byAccount() }, 'KeyAccountCheckNotAvailable'],
    ['a salary account', byAccount({ type: 'SalaryAccount' }), 'AccountTypeNotAvailable'],
  ])('to %s is refused, and nothing is held', async (_, payment, reason) => {
    const before = await world.balance();
    expect(await ask('1.00', payment)).toMatchObject({ status: 422, body: { error: { details: { reason } } } });
    expect(await world.balance()).toEqual(before);
  });

  it('to a key and an account goes to the account where the operator chose so, and says that the key was not checked', async () => {
    const choice = (accountDecides: boolean) =>
      new OperatorApi(service.url).patch(`/partners/${partner.uid}/settings`, { accountDecides });
    const both = (more?: object) => ({ ...key(), ...byAccount(more) });
    expect(await choice(true)).toMatchObject({ accountDecides: true });
    expect(await ask('1.00', both({ type: 'SalaryAccount' }))).toMatchObject({ status: 422 });
    const noDigit = { error: { details: { reason: 'AccountDigitIsRequired' } } };
    expect(await ask('1.00', both({ number: '5', digit: undefined }))).toMatchObject({ status: 400, body: noDigit });
    const answer = await ask('1.00', both());
    expect(answer).toMatchObject({ status: 201, body: { data: { payment: { keyChecked: false } } } });
    const { id } = answer.body.data.transaction;
    expect((await world.reaches(id, 'Completed')).state).toBe('Completed');
    const { favorecido } = (await taken(txidOf(id))).body;
    expect(favorecido).toMatchObject({ contaBanco: { conta: '12345678' } });
    expect(favorecido).not.toHaveProperty('chave');
    const { payment } = (await api.get(`/accounts/transactions/${id}`)).body.data;
    expect(payment).toMatchObject({ method: 'KeyAndAccount', keyChecked: false });
    const told = await eventually(() => receiver.at('/hook').find(({ body }) => body.includes(id)));
    const { pathname } = new URL(JSON.parse(told.body).transactionReceipt);
    // While the machine has no processor to spare, drawing may be refused with 503.
    const receipt = await eventually(async () => {
      const drawn = await fetch(`${service.url}${pathname}`);
      return drawn.status === 200 && drawn;
    });
    const { lines } = pdfText(Buffer.from(await receipt.arrayBuffer()));
    expect(lines).toContain('não verificada: o pagamento foi feito à conta informada');
    await choice(false);
    expect(await ask('1.00', both())).toMatchObject({ status: 422 });
  });

  it.each([
    ['a key of nobody', '1.00', KEYS.nobody, 'chave_favorecido_nao_encontrada'],
    ["somebody else's key", '1.00', KEYS.another, 'chave_nao_pertence_ao_documento'],
    ['what its analysis refuses', REFUSED_AMOUNT, 'maria@example.com', 'pagamento_negado'],
  ])('that the PSP refuses at once ends as Error: %s', async (_, value, to, errorReason) => {
    const before = await world.balance();
    const { id, idEnvio } = await payOut(value, key(to));
    expect(await world.reaches(id, 'Error')).toMatchObject({ errorReason, endToEndId: null });
    expect(await sentAs(idEnvio)).toBeUndefined();
    expect(await world.balance()).toEqual(before);
  });

  it('that did not take place has the reason of the callback, and the money is there again', async () => {
    const before = await world.balance();
    await psp.behave({ ends: 'NAO_REALIZADO', endsAfterMs: 50 });
    const { id } = await payOut('2.00');
    expect(await world.reaches(id, 'Error')).toMatchObject({ errorReason: 'AC03', endToEndId: expect.any(String) });
    expect(await world.balance()).toEqual(before);
  });

  it('that comes back later is a refund of its own, once', async () => {
    const { id, idEnvio } = await payOut('5.00');
    await world.reaches(id, 'Completed');
    const before = await world.balance();
    await psp.callbacks({ twice: true });
    await psp.sendBack(idEnvio, '2.00');
    await psp.callbacks({ on: false });
    await psp.sendBack(idEnvio, '2.00');
    await world.sweep();
    await eventually(async () => Number((await world.balance()).available) - Number(before.available) === 4);
    const { items } = (await api.get('/accounts/transactions?type=Refund')).body.data;
    const refunds = items.filter((one: any) => one.transaction.refundOf === id);
    expect(refunds.map((one: any) => one.transaction.amount)).toEqual(['2.00', '2.00']);
  });
});

describe('an answer that does not come', () => {
  it.each([
    ['lost before the payment was made', { kind: 'lost before' }],
    ['lost after the payment was made', { kind: 'lost after' }],
    ['500 erro_aplicacao', { kind: 'status', status: 500, body: { nome: 'erro_aplicacao', mensagem: 'erro' } }],
    ['429 with Retry-After', { kind: 'status', status: 429, retryAfter: 1, body: { type: '/x/BaldeFichasVazio' } }],
    ['404 of nobody in particular', { kind: 'status', status: 404, body: 'not here' }],
    ['404 nao_encontrado', { kind: 'status', status: 404, body: { nome: 'nao_encontrado', mensagem: 'rota' } }],
    ['after its callback', { kind: 'lost after', callbackFirst: true }],
  ] as const)('%s: paid once', async (_, fault) => {
    await psp.fail(SEND, fault);
    const { id, idEnvio } = await payOut('1.10');
    await world.reaches(id, 'Completed');
    expect((await psp.sent()).filter((one) => one.idEnvio === idEnvio)).toHaveLength(1);
    expect(await types(id)).toEqual(['CashOutRegistered', 'CashOutNamed', 'CashOutCompleted']);
  });

  // The wait is that of production: a busy machine is not taken for a PSP that is late.
  it('in time: there is no EndToEndId before the PSP has given it; paid once', async () => {
    await psp.behave({ ends: 'hold' });
    await psp.fail(SEND, { kind: 'hang' });
    const { id, idEnvio } = await payOut('1.00');
    expect(await world.transaction(id)).toMatchObject({ state: 'Registered', endToEndId: null });
    const { endToEndId } = await taken(idEnvio);
    await eventually(async () => (await world.transaction(id)).endToEndId === endToEndId);
    expect(await world.transaction(id)).toMatchObject({ state: 'Registered' });
    await psp.end(idEnvio, 'REALIZADO');
    await world.reaches(id, 'Completed');
    expect((await psp.sent()).filter((one) => one.idEnvio === idEnvio)).toHaveLength(1);
    expect(await types(id)).toEqual(['CashOutRegistered', 'CashOutNamed', 'CashOutCompleted']);
  });

  it('and a look-up that lags: 404, then found', async () => {
    await psp.callbacks({ on: false });
    await psp.behave({ lag: 3 });
    await psp.fail(SEND, { kind: 'lost after' });
    const { id, idEnvio } = await payOut('1.20');
    await world.reaches(id, 'Completed');
    expect((await psp.asked(new RegExp(`${SEND.source}${idEnvio}`))).length).toBeGreaterThan(1);
    expect((await psp.sent()).filter((one) => one.idEnvio === idEnvio)).toHaveLength(1);
  });

  it('and a refusal of what was sent again, while the look-up lags, is no end', async () => {
    await psp.callbacks({ on: false });
    await psp.behave({ lag: 3 });
    await psp.fail(SEND, { kind: 'lost after' });
    await psp.fail(SEND, { kind: 'status', status: 422, body: { nome: 'pagamento_negado', mensagem: 'negado' } });
    const { id, idEnvio } = await payOut('1.40');
    await eventually(async () => (await types(id)).length === 3, { within: 20_000 });
    expect(await types(id)).toEqual(['CashOutRegistered', 'CashOutNamed', 'CashOutCompleted']);
    const tries = await psp.asked(new RegExp(`${SEND.source}${idEnvio}`));
    expect(tries.map(({ status }) => status)).toEqual([0, 422, 409]);
  });

  it('of a look-up is no end', async () => {
    await psp.callbacks({ on: false });
    await psp.fail(LOOK_UP, { kind: 'status', status: 404, body: { nome: 'nao_encontrado' } });
    await psp.fail(LOOK_UP, { kind: 'status', status: 500, body: {} });
    await psp.fail(SEND, { kind: 'lost after' });
    const { id } = await payOut('1.30');
    await world.reaches(id, 'Completed');
    expect(await types(id)).toEqual(['CashOutRegistered', 'CashOutNamed', 'CashOutCompleted']);
  });
});

describe('callbacks', () => {
  const held = async (value: string) => {
    await psp.behave({ ends: 'hold' });
    const made = await payOut(value);
    await taken(made.idEnvio);
    return made;
  };

  it('twice, and after the end, change nothing', async () => {
    await psp.callbacks({ twice: true });
    const { id, idEnvio } = await payOut('1.40');
    await world.reaches(id, 'Completed');
    expect(await psp.callBack(await psp.callbackOf(idEnvio))).toBe(200);
    expect(await types(id)).toEqual(['CashOutRegistered', 'CashOutNamed', 'CashOutCompleted']);
  });

  it('that are forged end nothing: the look-up decides', async () => {
    const { id, idEnvio } = await held('1.50');
    const told = await psp.callbackOf(idEnvio);
    const failed = { ...told, status: 'NAO_REALIZADO', gnExtras: { idEnvio, erro: { codigo: 'AC03' } } };
    expect(await psp.callBack({ ...told, status: 'REALIZADO' }, failed)).toBe(200);
    expect((await world.transaction(id)).state).toBe('Registered');
    await psp.end(idEnvio, 'REALIZADO');
    await world.reaches(id, 'Completed');
    expect(await psp.callBack(failed)).toBe(200);
    expect((await world.transaction(id)).state).toBe('Completed');
  });

  it('of a payment that nobody knows are answered, and do nothing', async () => {
    const { idEnvio } = await held('1.60');
    const told = await psp.callbackOf(idEnvio);
    for (const other of ['0199d1f07c3b70019a4e3f1d2b5c6a7e', 'loja1', undefined]) {
      expect(await psp.callBack({ ...told, gnExtras: { idEnvio: other } })).toBe(200);
    }
    await psp.end(idEnvio, 'REALIZADO');
  });

  it('beside one of a payment that cannot be looked up are heard, and told again', async () => {
    await psp.callbacks({ on: false });
    const { id, idEnvio } = await held('1.65');
    await psp.end(idEnvio, 'NAO_REALIZADO');
    const received = { endToEndId: 'E6070119020261120140400000000000' };
    for (let tries = 0; tries < 3; tries++) await psp.fail(/^GET \/v2\/pix\/E/, { kind: 'status', status: 503 });
    expect(await psp.callBack(received, await psp.callbackOf(idEnvio))).toBe(503);
    const { errorReason } = await world.reaches(id, 'Error');
    const { payment } = (await api.get(`/accounts/transactions/${id}`)).body.data;
    expect([errorReason, payment.reasonTold]).toContain('AC03');
  });

  it('that are lost are made up for by the sweep', async () => {
    await psp.callbacks({ on: false });
    const { id, idEnvio } = await held('1.70');
    await psp.end(idEnvio, 'NAO_REALIZADO');
    await world.sweep();
    expect(await world.reaches(id, 'Error')).toMatchObject({ errorReason: 'NAO_REALIZADO' });
    // Its callback comes at last: what it says is kept, once, and changes nothing else.
    const late = await psp.callbackOf(idEnvio);
    expect([await psp.callBack(late), await psp.callBack(late)]).toEqual([200, 200]);
    const { transaction: ended, payment } = (await api.get(`/accounts/transactions/${id}`)).body.data;
    expect(ended).toMatchObject({ state: 'Error', errorReason: 'NAO_REALIZADO' });
    expect(payment).toMatchObject({ reasonTold: 'AC03' });
    expect((await types(id)).slice(-2)).toEqual(['CashOutErrored', 'CashOutTold']);
  });
});

describe('the dispatch queue', () => {
  it('has one payment in flight, and is fair between partners', async () => {
    await psp.behave({ endsAfterMs: 100 });
    const other = await new OperatorApi(service.url).partner(['10.00']);
    const second = await PartnerApi.login(service.url, other.credentials);
    await psp.forgetLine();
    const many = await Promise.all(Array.from({ length: 12 }, () => payOut('1.00')));
    const one = await payOut('1.00', key(), second);
    await Promise.all(many.map(({ id }) => world.reaches(id, 'Completed')));
    const { mostUnderWay, order } = await psp.line();
    expect(mostUnderWay).toBe(1);
    expect(order).toContain(one.idEnvio);
    expect(order.indexOf(one.idEnvio)).toBeLessThan(8);
  });

  it('keeps a payout that its row says has ended, for a moment: the PSP alone ends it', async () => {
    await psp.callbacks({ on: false });
    await psp.behave({ ends: 'hold' });
    await sweepAt(database, `now() + interval '1 minute'`);
    const { id, idEnvio } = await payOut('1.10');
    await taken(idEnvio);
    const row = (state: string) => database.query('update transaction set state = $2 where id = $1', [id, state]);
    await row('Completed');
    await new Promise((resume) => setTimeout(resume, 1_000));
    await row('Registered');
    await psp.end(idEnvio, 'REALIZADO');
    await world.reaches(id, 'Completed');
  });

  it('exports its length and age', async () => {
    await psp.behave({ ends: 'hold' });
    const made = await Promise.all([payOut('1.00'), payOut('1.00')]);
    await eventually(async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      const [, due] = /ledger_work_due\{source="pix-send-payment"\} (\d+)/.exec(metrics) ?? [];
      const [, age] = /ledger_work_oldest_due_seconds\{source="pix-send-payment"\} (\S+)/.exec(metrics) ?? [];
      return Number(due) === 2 && Number(age) > 0;
    });
    await psp.behave({ ends: 'REALIZADO' });
    for (const { id, idEnvio } of made) {
      await taken(idEnvio);
      await psp.end(idEnvio, 'REALIZADO');
      await world.reaches(id, 'Completed');
    }
  });
});

describe('the day', () => {
  it('is the same at the PSP and in the ledger, in both directions', async () => {
    await world.sweep();
    const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date());
    const day = await new OperatorApi(service.url).get(`/reconciliation?date=${date}`);
    expect(day.rail.PaymentOut).toEqual(expect.anything());
    expect(day.ledger.RefundIn).toEqual(day.rail.RefundIn);
  });
});

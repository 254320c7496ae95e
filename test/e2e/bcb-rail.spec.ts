import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/event-store/index.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { parseBrCode } from '../../src/pix/domain/values/br-code.js';
import { saoPauloDay } from '../../src/platform/sao-paulo.js';
import { call, OperatorApi } from '../support/api.js';
import { API_PIX_OPENAPI } from '../support/api-pix-contract.js';
import { type BcbWorld, bcbWorld } from '../support/bcb-world.js';
import { eventually } from '../support/eventually.js';
import { NOTIFICATIONS_TOKEN as TOKEN } from '../support/model-psp.js';
import { PSP_KEY, type PspPix } from '../support/model-psp-books.js';
import { type Service, startService } from '../support/service.js';
import { sweepAt } from '../support/sweep.js';
import { dayBefore, timerRuns } from '../support/timers.js';

/** A proxy's 404, without a body: it says nothing about what was asked for. */
const BARE = { status: 404, bare: true } as const;
/** The PSP's own, of a refund that its look-up does not show yet. */
const LAGS = { status: 404, kind: 'PixDevolucaoNaoEncontrada' } as const;

/** More than what two sweeps overlap by. */
const LATE_MS = 10 * 60_000;

let world: BcbWorld;
let { authority, psp, database, service, receiver, partner, api, settings, body, ask, cashIn } = {} as BcbWorld;
let { transaction, reaches, notify } = {} as BcbWorld;

beforeAll(async () => {
  world = await bcbWorld();
  ({ authority, psp, database, service, receiver, partner, api, settings, body, ask, cashIn } = world);
  ({ transaction, reaches, notify } = world);
}, 60_000);

afterEach(() => world.reset());
afterAll(() => world.stop());

const reused = { status: 409, body: { error: { details: { reason: 'IdempotencyKeyReuse' } } } };
const balance = () => api.balance(partner.accounts[0]!);
const sweepNow = () => sweepAt(database);
/** In centavos, what the account has more than before. */
async function gained(during: () => Promise<unknown>): Promise<number> {
  const before = await balance();
  await during();
  const after = await balance();
  return Math.round((Number(after.available) - Number(before.available)) * 100);
}

describe('a deposit over the API Pix', () => {
  it('makes the charge at the PSP, and hands the payer the code of the PSP', async () => {
    const { id, txid, qrCode } = await cashIn('10.50', { orderDescription: 'Camisa azul', expiresIn: 600 });
    const cob = psp.books.cobs.get(txid)!;
    expect(cob).toMatchObject({
      chave: PSP_KEY,
      status: 'ATIVA',
      revisao: 0,
      valor: { original: '10.50' },
      calendario: { expiracao: 600 },
      solicitacaoPagador: 'Camisa azul',
      infoAdicionais: [{ nome: 'Pedido', valor: 'pedido-1' }],
    });
    expect(qrCode).toBe(cob.pixCopiaECola);
    expect(parseBrCode(qrCode)).toMatchObject({ kind: 'Dynamic', location: cob.location });
    // The PSP serves the payload: a second one, signed by us, would compete with it.
    expect((await call(service.url, 'GET', `/pix/payload/${txid}`)).status).toBe(404);
    expect((await call(service.url, 'GET', `/pix/qrcode/${id}`)).status).toBe(200);
  });

  it('is credited once, however often and with what other entries its payment is notified', async () => {
    const { id, txid } = await cashIn('20.00');
    const paid = psp.books.pay(txid);
    const credited = await gained(async () => {
      await sweepNow();
      const answers = await Promise.all(Array.from({ length: 8 }, () => notify(paid, paid)));
      expect(new Set(answers)).toEqual(new Set([200]));
      await sweepNow();
      await reaches(id, 'Completed');
      expect(await notify(paid)).toBe(200);
    });
    expect(credited).toBe(2_000);
    expect(await transaction(id)).toMatchObject({ endToEndId: paid.endToEndId, amount: '20.00' });
    // Only the webhook has a receipt's address: what is stored does not lead to it.
    const told = await eventually(() =>
      receiver.at('/hook').find((one) => one.body.includes(id) && one.body.includes('/pix/receipts/')),
    );
    const { pathname } = new URL(JSON.parse(told.body).transactionReceipt);
    expect((await call(service.url, 'GET', pathname)).status).toBe(200);
  });

  it('asked for again under its key makes no second charge, and is answered while the PSP is unreachable', async () => {
    const first = await ask('8.00', {}, 'charge-once');
    const charges = psp.asked(/^PUT \/cob/).length;
    psp.failNext(/^PUT \/cob/, { status: 503 }, { status: 503 }, { status: 503 });
    try {
      const again = await ask('8.00', {}, 'charge-once');
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await ask('9.00', {}, 'charge-once')).toMatchObject(reused);
      expect(psp.asked(/^PUT \/cob/)).toHaveLength(charges);
    } finally {
      psp.forgetFaults();
    }
  });

  it('is found by the sweep where the notification was lost, on whichever page of the list', async () => {
    psp.books.mostOnAPage = 2;
    const asked = await Promise.all(Array.from({ length: 5 }, () => cashIn('5.00')));
    for (const { txid } of asked) psp.books.pay(txid);
    await sweepNow();
    for (const { id } of asked) await reaches(id, 'Completed');
  });

  it('is found by the sweep beside a payment to another key of the account that breaks the standard', async () => {
    const { id, txid } = await cashIn('5.50');
    psp.books.pay(txid);
    const foreign = psp.books.pay(null, { valor: '3.00', chave: 'other@example.com' });
    psp.answersInstead(/^GET \/pix\?/, ({ pix, ...page }) => ({
      ...page,
      pix: pix.map((one: PspPix) => (one.endToEndId === foreign.endToEndId ? { ...one, horario: null } : one)),
    }));
    await sweepNow();
    await reaches(id, 'Completed');
    psp.answersInstead();
    psp.books.pix.delete(foreign.endToEndId);
  });

  it('is found by the sweep beside one that breaks the standard, which is found once it no longer does', async () => {
    const [broken, whole] = [await cashIn('5.60'), await cashIn('5.70')];
    const { endToEndId } = psp.books.pay(broken.txid);
    psp.books.pay(whole.txid);
    psp.answersInstead(/^GET \/pix\?/, ({ pix, ...page }) => ({
      ...page,
      pix: pix.map((one: PspPix) => (one.endToEndId === endToEndId ? { ...one, horario: null } : one)),
    }));
    await sweepNow();
    await reaches(whole.id, 'Completed');
    expect((await transaction(broken.id)).state).toBe('Registered');
    psp.answersInstead();
    await sweepNow();
    await reaches(broken.id, 'Completed');
  });

  it('is not swept for the time before the ledger existed', () => {
    const [first] = psp.asked(/^GET \/pix\?/);
    const from = new Date(new URLSearchParams(first!.path.split('?')[1]).get('inicio')!);
    expect(Date.now() - from.getTime()).toBeLessThan(10 * 60_000);
  });

  it('whose payment is notified before the charge is in the ledger waits, and is credited afterwards', async () => {
    let early: { readonly status: number; readonly paid: PspPix } | undefined;
    psp.beforeAnswer = async (method, path) => {
      if (method !== 'PUT' || !path.startsWith('/cob/') || early) return;
      const paid = psp.books.pay(path.slice('/cob/'.length));
      early = { status: await notify(paid), paid };
    };
    const credited = await gained(async () => {
      const { id } = await cashIn('7.00');
      expect(early!.status).toBe(503);
      expect(await notify(early!.paid)).toBe(200);
      expect(await transaction(id)).toMatchObject({ state: 'Completed', endToEndId: early!.paid.endToEndId });
    });
    expect(credited).toBe(700);
    expect(early!.paid.devolucoes).toEqual([]);
  });

  it('that was paid with another amount is returned to the payer', async () => {
    const { id, txid } = await cashIn('9.00');
    const paid = psp.books.pay(txid, { valor: '8.99' });
    expect(await gained(() => notify(paid))).toBe(0);
    expect(await reaches(id, 'Error')).toMatchObject({ errorReason: 'AmountMismatch' });
    await eventually(() => paid.devolucoes[0]?.status === 'DEVOLVIDO');
    expect(paid.devolucoes).toMatchObject([{ valor: '8.99', descricao: expect.stringContaining('devolvido') }]);
  });

  it('that was paid with another amount is returned also where a proxy answers 404 for the PSP at first', async () => {
    psp.failNext(/^PUT .*devolucao/, BARE);
    psp.failNext(/^GET .*devolucao/, BARE, BARE);
    const { id, txid } = await cashIn('9.50');
    const paid = psp.books.pay(txid, { valor: '9.49' });
    await notify(paid);
    await reaches(id, 'Error');
    const [end] = await eventually(async () => {
      const found = await database.query(
        `select type from event
         where type in ('PaymentReturnSettled', 'PaymentReturnRefused') and data ->> 'endToEndId' = $1`,
        [paid.endToEndId],
      );
      return found.length > 0 && found;
    });
    expect(end).toEqual({ type: 'PaymentReturnSettled' });
    expect(paid.devolucoes).toMatchObject([{ valor: '9.49', status: 'DEVOLVIDO' }]);
  });

  it('that is cancelled is closed at the PSP; one that was paid unheard is completed instead', async () => {
    const unpaid = await cashIn('3.00');
    expect((await api.post(`/accounts/pix/cashin/${unpaid.id}/cancel`)).status).toBe(200);
    expect(psp.books.cobs.get(unpaid.txid)!.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    const paid = await cashIn('4.00');
    psp.books.pay(paid.txid);
    expect((await api.post(`/accounts/pix/cashin/${paid.id}/cancel`)).status).toBe(422);
    expect((await transaction(paid.id)).state).toBe('Completed');
  });

  it.each([
    ['is cancelled', {}],
    ['expires', { expiresIn: 1 }],
  ])('that %s, while a proxy answers 404 for the PSP, may have been paid: asked again, it is', async (_, more) => {
    await sweepAt(database, `now() + interval '1 minute'`);
    psp.failNext(/^PATCH \/cob/, BARE);
    psp.failNext(/^GET \/cob/, BARE);
    const { id, txid } = await cashIn('4.50', more);
    psp.books.pay(txid);
    if (!('expiresIn' in more)) {
      expect((await api.post(`/accounts/pix/cashin/${id}/cancel`)).status).toBe(503);
      expect((await api.post(`/accounts/pix/cashin/${id}/cancel`)).status).toBe(422);
    }
    const ended = await eventually(async () => {
      const found = await transaction(id);
      return found.state !== 'Registered' && found;
    });
    expect(ended).toMatchObject({ state: 'Completed' });
    expect(psp.asked(new RegExp(`^PATCH /cob/${txid}$`)).map(({ status }) => status)).toEqual([0, 400]);
  });

  it('that expires is closed at the PSP too', async () => {
    const { id, txid } = await cashIn('3.00', { expiresIn: 1 });
    expect(await reaches(id, 'Cancelled')).toMatchObject({ errorReason: 'Expired' });
    expect(psp.books.cobs.get(txid)!.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  });

  it.each([
    ['cpf', { cpf: '52998224725' }],
    ['account', { account: { ispb: '60701190', branch: '0001', number: '1234567', digit: '8' } }],
    ['validationAccounts', { validationAccounts: [{ ispb: '60701190', branch: '0001', number: '12345678' }] }],
  ])(
    'that asks for a check of its payer by %s is refused: the standard does not tell who paid',
    async (name, payer) => {
      const made = psp.books.cobs.size;
      const answer = await ask('1.00', { payer: { name: 'Maria', ...payer } });
      expect(answer).toMatchObject({
        status: 422,
        body: { error: { details: { reason: 'PayerCannotBeVerified', property: `payment.payer.${name}` } } },
      });
      expect(psp.books.cobs.size).toBe(made);
    },
  );
});

describe('a refund over the API Pix', () => {
  const paidCashIn = async (original: string) => {
    const { id, txid } = await cashIn(original);
    const paid = psp.books.pay(txid);
    await notify(paid);
    return { id, paid };
  };
  const refund = async (id: string, amount?: string) => {
    const answer = await api.post(`/accounts/pix/cashin/${id}/refunds`, amount === undefined ? {} : { amount });
    return answer.body.data.transaction.id as string;
  };

  it('is asked for under our identifier, and asked after until it has arrived', async () => {
    psp.books.refunds = 'EM_PROCESSAMENTO';
    const { id, paid } = await paidCashIn('12.00');
    const refundId = await refund(id, '5.00');
    await eventually(() => paid.devolucoes.length === 1);
    const { endToEndId: returnId } = await transaction(refundId);
    expect(paid.devolucoes).toMatchObject([{ id: returnId, valor: '5.00', natureza: 'ORIGINAL' }]);
    expect(await balance()).toMatchObject({ held: '5.00' });
    psp.books.endRefund(returnId, 'DEVOLVIDO');
    await reaches(refundId, 'Completed');
    expect(await balance()).toMatchObject({ held: '0.00' });
    expect(psp.asked(new RegExp(`^PUT /pix/.*/devolucao/${returnId}$`))).toHaveLength(1);
  });

  it('that failed is notified, and the money is available again', async () => {
    psp.books.refunds = 'EM_PROCESSAMENTO';
    const { id, paid } = await paidCashIn('12.00');
    const change = await gained(async () => {
      const refundId = await refund(id);
      const { id: returnId } = await eventually(() => paid.devolucoes[0]);
      psp.books.endRefund(returnId, 'NAO_REALIZADO', 'Conta encerrada (AC07)');
      expect(await notify(paid)).toBe(200);
      expect(await transaction(refundId)).toMatchObject({ state: 'Error', errorReason: 'AC07' });
    });
    expect(change).toBe(0);
  });

  it('that is listed as failed with another payment than it is of has not failed', async () => {
    psp.books.refunds = 'EM_PROCESSAMENTO';
    const [{ id, paid }, { paid: another }] = [await paidCashIn('12.00'), await paidCashIn('12.00')];
    const refundId = await refund(id);
    const own = await eventually(() => paid.devolucoes[0]);
    psp.answersInstead(new RegExp(`^GET /pix/${another.endToEndId}$`), (pix) => ({
      ...pix,
      devolucoes: [{ ...own, status: 'NAO_REALIZADO' }],
    }));
    expect(await notify(another)).toBe(200);
    expect((await transaction(refundId)).state).toBe('Registered');
    psp.answersInstead();
    psp.books.endRefund(own.id, 'DEVOLVIDO');
    await reaches(refundId, 'Completed');
  });

  it('is given once where the answer was lost, and refused where the PSP refuses it', async () => {
    const { id, paid } = await paidCashIn('12.00');
    psp.failNext(/^PUT .*devolucao/, 'answer lost');
    await reaches(await refund(id, '2.00'), 'Completed');
    expect(paid.devolucoes).toHaveLength(1);
    // Behind our back, as by a person at the PSP's own desk.
    psp.books.handle('PUT', `/pix/${paid.endToEndId}/devolucao/desk1`, { valor: '9.00', natureza: 'ORIGINAL' });
    expect(await reaches(await refund(id, '10.00'), 'Error')).toMatchObject({ errorReason: 'PixDevolucaoInvalida' });
  });

  it.each([
    ['to the request and to the look-up', BARE, [BARE, BARE]],
    ['to the look-up, after the PSP refused to carry the refund out twice', 'answer lost', [BARE, BARE]],
  ] as const)('is given once where a proxy answers 404 for the PSP: %s', async (_, put, looks) => {
    psp.failNext(/^PUT .*devolucao/, put);
    psp.failNext(/^GET .*devolucao/, ...looks);
    const { id, paid } = await paidCashIn('12.00');
    const refundId = await refund(id, '5.00');
    const ended = await eventually(async () => {
      const found = await transaction(refundId);
      return found.state !== 'Registered' && found;
    });
    expect(ended).toMatchObject({ state: 'Completed' });
    expect(paid.devolucoes).toMatchObject([{ valor: '5.00', status: 'DEVOLVIDO' }]);
    expect(await balance()).toMatchObject({ held: '0.00' });
  });

  it('is not ended by the refusal of its repetition while the look-up lags', async () => {
    psp.failNext(/^PUT .*devolucao/, 'answer lost');
    psp.failNext(/^GET .*devolucao/, LAGS, LAGS, LAGS);
    const { id, paid } = await paidCashIn('12.00');
    const refundId = await refund(id, '5.00');
    const [ended] = await eventually(async () => {
      const found = await database.query(
        `select type from event where stream = $1 and type <> 'RefundRegistered' order by version`,
        [`refund-${refundId}`],
      );
      return found.length > 0 && found;
    });
    expect(ended).toEqual({ type: 'RefundCompleted' });
    const tries = psp.asked(new RegExp(`^PUT /pix/${paid.endToEndId}/devolucao/`));
    expect(tries.map(({ status }) => status)).toEqual([0, 400, 400]);
    expect(paid.devolucoes).toMatchObject([{ valor: '5.00', status: 'DEVOLVIDO' }]);
  });

  it('that the PSP carries out after it has failed here is an error of the log', async () => {
    const { id, paid } = await paidCashIn('12.00');
    psp.failNext(/^PUT .*devolucao/, { status: 400, kind: 'PixDevolucaoInvalida' });
    const refundId = await refund(id, '5.00');
    const { endToEndId: returnId } = await reaches(refundId, 'Error');
    psp.books.handle('PUT', `/pix/${paid.endToEndId}/devolucao/${returnId}`, { valor: '5.00', natureza: 'ORIGINAL' });
    expect(await notify(paid)).toBe(200);
    expect(await transaction(refundId)).toMatchObject({ state: 'Error' });
    await eventually(() => service.output().includes('the rail settled a refund that has failed here'));
    // The day, below, is compared without it.
    paid.devolucoes.length = 0;
  });

  it('that the PSP refuses after it was made here is an error of the log', async () => {
    const { id, paid } = await paidCashIn('13.00');
    const refundId = await refund(id, '5.00');
    await reaches(refundId, 'Completed');
    const [made] = paid.devolucoes;
    made!.status = 'NAO_REALIZADO';
    expect(await notify(paid)).toBe(200);
    expect(await transaction(refundId)).toMatchObject({ state: 'Completed' });
    await eventually(() => service.output().includes('the rail refused a refund that was made here'));
    made!.status = 'DEVOLVIDO';
  });
});

describe('a PSP that tells who paid, beyond the standard', () => {
  let knowing: Service;
  beforeAll(async () => {
    knowing = await startService(database.url, { ...settings(authority), BCB_IDENTIFIES_PAYER: 'true', ROLE: 'api' });
  }, 60_000);
  afterAll(() => knowing.stop());

  it.each([
    ['the one that was asked for is credited', '52998224725', 'Completed', null],
    ['another one gets the money back', '11144477735', 'Error', 'PayerTaxNumberMismatch'],
  ])('%s', async (_, cpf, state, errorReason) => {
    const payer = { name: 'Maria Silva', cpf: '529.982.247-25' };
    const { id } = (await api.on(knowing.url).post('/accounts/pix/cashin', body('2.00', { payer }))).body.data
      .transaction;
    const txid = txidOf(id);
    expect(psp.books.cobs.get(txid)).toMatchObject({ devedor: { nome: 'Maria Silva', cpf: '52998224725' } });
    expect(await notify(psp.books.pay(txid, { pagador: { nome: 'Quem Pagou', cpf } }))).toBe(200);
    expect(await transaction(id)).toMatchObject({ state, errorReason });
  });

  it('and later no longer does: a request that was accepted before has its first answer', async () => {
    const sent = body('2.00', { payer: { cpf: '52998224725' } });
    const key = { 'idempotency-key': 'payer-was-verifiable' };
    const first = await api.on(knowing.url).post('/accounts/pix/cashin', sent, key);
    expect(first.status).toBe(201);
    expect(await api.post('/accounts/pix/cashin', sent, key)).toMatchObject({ status: 201, body: first.body });
  });

  it('and once does not: nobody can say that it fits', async () => {
    const payer = { cpf: '52998224725' };
    const { id } = (await api.on(knowing.url).post('/accounts/pix/cashin', body('2.00', { payer }))).body.data
      .transaction;
    expect(await notify(psp.books.pay(txidOf(id)))).toBe(200);
    expect(await transaction(id)).toMatchObject({ state: 'Error', errorReason: 'PayerCannotBeVerified' });
  });
});

describe('what the API Pix does not have', () => {
  it('a cash-out is refused and nothing is held', async () => {
    const before = await balance();
    const answer = await api.post('/accounts/pix/cashout', {
      payment: {
        value: '10.00',
        key: { type: 'EMAIL', value: 'maria@example.com' },
        recipient: { name: 'Maria', cpf: '11144477735' },
      },
      transaction: { orderId: 'pedido-2' },
      webhook: { url: receiver.url('/hook') },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { name: 'OperationError', details: { reason: 'CashOutNotAvailable' } } },
    });
    expect(await balance()).toEqual(before);
    expect(await database.query(`select 1 from event where type = 'CashOutRegistered'`)).toEqual([]);
  });
});

describe('notifications', () => {
  const post = (token: string, sent: unknown, suffix = '/pix') =>
    call(service.url, 'POST', `/pix/notifications/${token}${suffix}`, { body: sent });

  it('are registered at the PSP for the key, at an address that cannot be guessed', () => {
    expect(psp.books.webhookUrl).toBe(`https://pay.example.com/pix/notifications/${TOKEN}`);
    expect(psp.asked(/^PUT \/webhook/).map(({ path }) => path)).toEqual([`/webhook/${PSP_KEY}`]);
  });

  it('reach nothing at another address', async () => {
    const paid = psp.books.pay(null, { valor: '1.00' });
    const sent = { pix: [{ endToEndId: paid.endToEndId }] };
    expect(await post(TOKEN.replace('a', 'b'), sent)).toMatchObject({ status: 404 });
    expect(psp.asked(new RegExp(`^GET /pix/${paid.endToEndId}$`))).toEqual([]);
  });

  it('are only a hint: what the PSP does not confirm credits nothing', async () => {
    const { id, txid } = await cashIn('50.00');
    const forged = { endToEndId: 'E6070119020261120140400000000000', txid, valor: '50.00' };
    const change = await gained(async () => {
      const answer = await post(TOKEN, { pix: [{ ...forged, horario: new Date().toISOString() }] });
      expect(answer).toMatchObject({ status: 200, body: { data: { confirmed: 0 } } });
    });
    expect(change).toBe(0);
    expect((await transaction(id)).state).toBe('Registered');
  });

  it('that a proxy answers 404 for are told again: the sweep does not find what settled long before', async () => {
    const { id, txid } = await cashIn('7.00');
    const paid = psp.books.pay(txid);
    psp.books.pix.set(paid.endToEndId, { ...paid, horario: new Date(Date.now() - 30 * 60_000).toISOString() });
    psp.failNext(new RegExp(`^GET /pix/${paid.endToEndId}`), BARE);
    expect(await notify(paid)).toBe(503);
    expect(await notify(paid)).toBe(200);
    expect((await transaction(id)).state).toBe('Completed');
  });

  it.each(['', '/pix'])('are taken with and without the suffix: "%s"', async (suffix) => {
    const { id, txid } = await cashIn('1.00');
    const paid = psp.books.pay(txid);
    expect(await post(TOKEN, { pix: [{ endToEndId: paid.endToEndId }] }, suffix)).toMatchObject({ status: 200 });
    expect((await transaction(id)).state).toBe('Completed');
  });

  it.each([
    ['a payment to the key alone', null],
    ['one whose txid looks like ours', txidOf(newId(1, Date.now() - 120_000))],
  ])('of what was paid to another key of the account change nothing: %s', async (_, txid) => {
    const paid = psp.books.pay(txid, { valor: '1.00', chave: 'loja@example.com' });
    expect(await notify(paid)).toBe(200);
    const events = await database.query(`select type from event where data->'payment'->>'endToEndId' = $1`, [
      paid.endToEndId,
    ]);
    expect(events).toEqual([]);
    expect(paid.devolucoes).toEqual([]);
  });

  it('that only try the address out are answered', async () => {
    expect(await post(TOKEN, { evento: 'teste_webhook' }, '')).toMatchObject({ status: 200 });
  });

  it.each([
    ['pix', { pix: 'all' }],
    ['pix.0.endToEndId', { pix: [{}] }],
    ['pix.1.endToEndId', { pix: [{ endToEndId: 'E'.repeat(32) }, { endToEndId: '../../cob' }] }],
  ])('that are malformed name the fault: %s', async (path, sent) => {
    expect(await post(TOKEN, sent)).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } });
  });

  it('that name no payment, or one that cannot be read, hold up none of the others', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => cashIn('1.00')));
    const [broken, ...others] = made.map(({ txid }) => psp.books.pay(txid));
    psp.answersInstead(new RegExp(`^GET /pix/${broken!.endToEndId}`), (own) => ({ ...own, valor: 1 }));
    expect(await notify(broken!, ...others)).toBe(503);
    expect(await Promise.all(made.slice(1).map(async ({ id }) => (await transaction(id)).state))).toEqual(
      others.map(() => 'Completed'),
    );
    psp.answersInstead();
    expect(await post(TOKEN, { pix: [{}, broken] })).toMatchObject({ status: 400 });
    expect((await transaction(made[0]!.id)).state).toBe('Completed');
  });

  it('are to be repeated while the PSP cannot be asked', async () => {
    const { id, txid } = await cashIn('1.00');
    const paid = psp.books.pay(txid);
    psp.failNext(/^GET \/pix\//, { status: 503 }, { status: 503 }, { status: 503 });
    expect(await notify(paid)).toBe(503);
    expect(await notify(paid)).toBe(200);
    expect((await transaction(id)).state).toBe('Completed');
  });
});

describe('the day', () => {
  it('is the same at the PSP and in the ledger, but for what the PSP did by itself', async () => {
    const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date());
    const operator = new OperatorApi(service.url);
    const desk = psp.books.devolucao('desk1')!;
    await sweepNow();
    const day = await eventually(async () => {
      const data = await operator.get(`/reconciliation?date=${date}`);
      return data.mismatched === 1 && data;
    });
    expect(day.mismatches).toMatchObject([{ kind: 'RefundOut', id: desk.id, rail: desk.valor, ledger: null }]);
    expect(day.rail.PaymentIn).toEqual(day.ledger.PaymentIn);
  });

  it('has what the PSP listed late once a night has found it', async () => {
    const { id, txid } = await cashIn('7.00');
    const { endToEndId } = psp.books.pay(txid);
    Object.assign(psp.books.pix.get(endToEndId)!, { horario: `${dayBefore(1)}T15:00:00Z` });
    await timerRuns(database, 'pix-sweep');
    expect(await transaction(id)).toMatchObject({ state: 'Registered' });
    await timerRuns(database, 'pix-reconcile');
    await timerRuns(database, 'pix-sweep');
    expect(await transaction(id)).toMatchObject({ state: 'Completed', endToEndId });
  });

  it('lacks what the PSP listed late, until the rail is swept again as the runbook has it', async () => {
    const at = new Date(Date.now() - LATE_MS).toISOString();
    await timerRuns(database, 'pix-sweep');
    const { id, txid } = await cashIn('8.00');
    const { endToEndId } = psp.books.pay(txid);
    Object.assign(psp.books.pix.get(endToEndId)!, { horario: at });
    await timerRuns(database, 'pix-sweep');
    const ofPayment = async () => {
      const date = saoPauloDay(new Date(at));
      const { mismatches } = await new OperatorApi(service.url).get(`/reconciliation?date=${date}`);
      return mismatches.filter((one: { id: string }) => one.id === endToEndId);
    };
    expect(await ofPayment()).toMatchObject([{ kind: 'PaymentIn', rail: '8.00', ledger: null }]);
    const [again] = /^update pix_sweep [^;]*/m.exec(await readFile('docs/operations.md', 'utf8'))!;
    await database.query(again.replace(/\d{4}-\d\d-\d\dT[^']*/, at));
    await timerRuns(database, 'pix-sweep');
    expect(await transaction(id)).toMatchObject({ state: 'Completed', endToEndId });
    await eventually(async () => (await ofPayment()).length === 0);
  });
});

const published = existsSync(API_PIX_OPENAPI);

describe('the published document of the API Pix', () => {
  (published ? it : it.skip)(published ? 'fits every exchange of this file' : `IS ABSENT: ${API_PIX_OPENAPI}`, () => {
    expect(psp.violations).toEqual([]);
    expect(psp.judged).toBeGreaterThan(100);
  });

  (published ? it : it.skip)('is one that an exchange can fail to fit', () => {
    const { contract } = psp;
    const exchange = {
      method: 'PUT',
      path: '/cob/0199d1f07c3b70019a4e3f1d2b5c6a7e',
      requestBody: { calendario: { expiracao: 60 }, valor: { original: '10,00', moeda: 'BRL' }, chave: PSP_KEY },
      status: 201,
      contentType: 'application/json',
      answerBody: {},
    };
    const seen = contract!.violations(exchange);
    expect(seen).toContainEqual(expect.stringContaining('/valor/original must match pattern'));
    expect(seen).toContainEqual(expect.stringContaining('/valor/moeda is not a member'));
    expect(seen).toContainEqual(expect.stringContaining("must have required property 'txid'"));
    expect(contract!.violations({ ...exchange, path: '/cob/short' })).toContainEqual(
      expect.stringContaining('parameter txid'),
    );
    expect(contract!.notificationViolations({ pix: [{ valor: '1.00' }] })).not.toEqual([]);
  });
});

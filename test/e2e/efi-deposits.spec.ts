import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import type { TestDatabase } from '../support/database.js';
import type { EfiPsp } from '../support/efi-psp.js';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';
import { eventually } from '../support/eventually.js';
import { PSP_KEY } from '../support/model-psp-books.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import type { Service } from '../support/service.js';

let world: EfiWorld;
let psp: EfiPsp;
let database: TestDatabase;
let service: Service;
let api: PartnerApi;

beforeAll(async () => {
  world = await efiWorld('1000.00');
  ({ psp, database, service, api } = world);
}, 60_000);
afterEach(() => world.calm());
afterAll(async () => {
  await world.stop();
});

const MARIA = { name: 'Maria Silva', cpf: '52998224725' };

describe('a deposit over Efí', () => {
  const cashIn = async (original: string, payer?: object, caller = api) => {
    const answer = await caller.post('/accounts/pix/cashin', {
      payment: { value: { original }, ...(payer && { payer }) },
      transaction: { orderId: 'pedido-2' },
      webhook: WEBHOOK,
    });
    expect(answer.status).toBe(201);
    const { id } = answer.body.data.transaction;
    return { id, txid: txidOf(id) };
  };
  const told = async (endToEndId: string) => psp.callBack(await psp.pix(endToEndId));

  it('is credited, and given back under our identifier with its amount alone', async () => {
    const { id, txid } = await cashIn('20.00');
    const { endToEndId } = await psp.pay(txid);
    expect(await told(endToEndId)).toBe(200);
    expect(await world.transaction(id)).toMatchObject({ state: 'Completed', endToEndId });
    const refund = await api.post(`/accounts/pix/cashin/${id}/refunds`, { amount: '5.00' });
    const { id: refundId } = refund.body.data.transaction;
    await world.reaches(refundId, 'Completed');
    const [asked] = await psp.asked(new RegExp(`^PUT /v2/pix/${endToEndId}/devolucao/`));
    expect(asked!.body).toEqual({ valor: '5.00' });
  });

  it('has the account tell of payers and fees, and keeps what the operator has set there', async () => {
    const config = await eventually(async () => {
      const { pix } = await psp.config();
      return pix.chaves?.[PSP_KEY];
    });
    expect(config.recebimento).toMatchObject({
      documentoPagadorIgualDevedor: true,
      webhook: { notificacao: { tarifa: true, pagador: true } },
    });
    expect(config.envio.webhook.notificacao.tarifa).toBe(true);
  });

  it('of a payer who is named: others are refused by the PSP, and its callback is kept as its word', async () => {
    const { id, txid } = await cashIn('7.00', MARIA);
    expect((await psp.cob(txid)).devedor).toEqual({ nome: MARIA.name, cpf: MARIA.cpf });
    expect(await psp.pay(txid, { payer: { nome: 'Outra', cpf: '11144477735' } })).toBeNull();
    const { endToEndId } = await psp.pay(txid, { payer: { nome: 'Maria S', cpf: MARIA.cpf, codigoBanco: '60701190' } });
    expect([await told(endToEndId), await told(endToEndId)]).toEqual([200, 200]);
    const { transaction: done, payment } = (await api.get(`/accounts/transactions/${id}`)).body.data;
    expect(done).toMatchObject({ state: 'Completed', endToEndId });
    expect(payment.payerTold).toEqual({ name: 'Maria S', cpf: MARIA.cpf, ispb: '60701190' });
    const events = await database.query(`select type, data from event where stream = $1 order by position`, [
      `cash-in-${id}`,
    ]);
    expect(events.map(({ type }) => type)).toEqual(['CashInRegistered', 'CashInCompleted', 'CashInTold']);
    expect(events[2]!.data).toMatchObject({ fee: '1' });
  });

  it('of a payer whose bank a cautionary rule names is blocked, however the payment is found', async () => {
    const operator = new OperatorApi(service.url);
    const other = await operator.partner(['0.00']);
    const rule = { name: 'Banco', payerInstitution: '60701190', companies: true };
    await operator.post(`/partners/${other.uid}/cautionary-rules`, rule);
    const theirs = await PartnerApi.login(service.url, other.credentials);
    const blockedOf = async (codigoBanco: string, hears: (endToEndId: string, id: string) => Promise<unknown>) => {
      const { id, txid } = await cashIn('2.00', undefined, theirs);
      const { endToEndId } = await psp.pay(txid, { payer: { codigoBanco } });
      await hears(endToEndId, id);
      const read = async () => (await theirs.get(`/accounts/transactions/${id}`)).body.data;
      await eventually(async () => (await read()).transaction.state === 'Completed', { within: 20_000 });
      return (await theirs.balance(other.accounts[0]!)).blocked;
    };
    expect(await blockedOf('60701190', told)).toBe('2.00');
    expect(await blockedOf('60701190', () => world.sweep())).toBe('4.00');
    expect(await blockedOf('99999008', told)).toBe('4.00');
    const cancel = (_: string, id: string) => theirs.post(`/accounts/pix/cashin/${id}/cancel`);
    expect(await blockedOf('60701190', cancel)).toBe('6.00');
  });

  it("of a payer whom the charge cannot name: the PSP's filter decides, and not its callback", async () => {
    const [right, wrong] = [await cashIn('8.00', { cpf: MARIA.cpf }), await cashIn('9.00', { cpf: MARIA.cpf })];
    const mine = await psp.pay(right.txid, { payer: { cpf: MARIA.cpf } });
    const other = await psp.pay(wrong.txid, { payer: { cpf: '11144477735' } });
    expect(await told(mine.endToEndId)).toBe(200);
    const lie = { gnExtras: { pagador: { nome: 'Maria', cpf: MARIA.cpf } } };
    expect(await psp.callBack({ ...(await psp.pix(other.endToEndId)), ...lie })).toBe(200);
    expect(await world.transaction(right.id)).toMatchObject({ state: 'Completed' });
    expect(await world.transaction(wrong.id)).toMatchObject({ state: 'Error', errorReason: 'PayerTaxNumberMismatch' });
    await eventually(async () => (await psp.pix(other.endToEndId)).devolucoes.length === 1);
  });

  it('is that of its payer where the PSP lists it only after it was asked by the payer', async () => {
    const { id, txid } = await cashIn('8.50', { cpf: MARIA.cpf });
    const { endToEndId } = await psp.pay(txid, { payer: { cpf: MARIA.cpf } });
    const body = { parametros: { paginacao: { quantidadeDePaginas: 1 } }, pix: [] };
    await psp.fail(/^GET \/v2\/pix\?.*cpf=/, { kind: 'status', status: 200, body });
    expect(await told(endToEndId)).toBe(200);
    expect(await world.transaction(id)).toMatchObject({ state: 'Completed' });
  });

  it('that was paid and is cancelled while the PSP does not say who paid is neither: 503, and then Completed', async () => {
    const { id, txid } = await cashIn('8.60', { cpf: MARIA.cpf });
    await psp.pay(txid, { payer: { cpf: MARIA.cpf } });
    for (let tries = 0; tries < 3; tries += 1) await psp.fail(/^GET \/v2\/pix\?/, { kind: 'status', status: 500 });
    const cancel = () => api.post(`/accounts/pix/cashin/${id}/cancel`);
    expect(await cancel()).toMatchObject({ status: 503, body: { error: { name: 'ServiceUnavailable' } } });
    await psp.forgetFaults();
    expect(await cancel()).toMatchObject({ status: 422 });
    expect(await world.transaction(id)).toMatchObject({ state: 'Completed' });
  });

  it('that is cancelled, and the answer of the PSP is lost, may be closed: the partner is told so', async () => {
    const { id, txid } = await cashIn('8.70');
    for (let tries = 0; tries < 3; tries += 1) await psp.fail(/^PATCH \/v2\/cob/, { kind: 'lost after' });
    const cancel = () => api.post(`/accounts/pix/cashin/${id}/cancel`);
    expect(await cancel()).toMatchObject({ status: 503, body: { error: { name: 'OutcomeUnknown' } } });
    expect((await psp.cob(txid)).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    await psp.forgetFaults();
    expect((await cancel()).status).toBe(200);
  });

  it.each([
    ['account', { account: { ispb: '60701190', branch: '0001', number: '123456', digit: '7' } }],
    ['validationAccounts', { validationAccounts: [{ ispb: '60701190', branch: '0001', number: '1234567' }] }],
  ])('is refused where it asks for the check of %s, which the PSP does not tell', async (member, payer) => {
    const answer = await api.post('/accounts/pix/cashin', {
      payment: { value: { original: '1.00' }, payer: { ...MARIA, ...payer } },
      transaction: { orderId: 'pedido-2' },
      webhook: WEBHOOK,
    });
    const details = { reason: 'PayerCannotBeVerified', property: `payment.payer.${member}` };
    expect(answer).toMatchObject({ status: 422, body: { error: { details } } });
  });

  it('that is cancelled and was never made, or was paid, is told by words and not by status', async () => {
    const unpaid = await cashIn('3.00');
    expect((await api.post(`/accounts/pix/cashin/${unpaid.id}/cancel`)).status).toBe(200);
    expect((await psp.cob(unpaid.txid)).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    expect(await psp.callBack({ endToEndId: 'E6070119020261120140400000000000' })).toBe(200);
  });

  it('whose refund the PSP does not know is asked for again: its "not found" is a 400 with a word', async () => {
    const { id, txid } = await cashIn('6.00');
    const { endToEndId } = await psp.pay(txid);
    await told(endToEndId);
    for (let tries = 0; tries < 3; tries += 1) await psp.fail(/^PUT .*devolucao/, { kind: 'lost before' });
    const refund = await api.post(`/accounts/pix/cashin/${id}/refunds`, {});
    await world.reaches(refund.body.data.transaction.id, 'Completed');
    expect((await psp.pix(endToEndId)).devolucoes).toHaveLength(1);
  });

  it('whose refund has the identifier of one that the look-up does not find yet waits for it: given once', async () => {
    const { id, txid } = await cashIn('6.00');
    const { endToEndId } = await psp.pay(txid);
    await told(endToEndId);
    const before = await world.balance();
    const lags = { kind: 'status', status: 400, body: { nome: 'devolucao_nao_encontrada', mensagem: 'lag' } } as const;
    await psp.fail(/^PUT .*devolucao/, { kind: 'lost after' });
    for (let looks = 0; looks < 3; looks += 1) await psp.fail(/^GET .*devolucao/, lags);
    const refund = await api.post(`/accounts/pix/cashin/${id}/refunds`, {});
    const { id: refundId } = refund.body.data.transaction;
    const [ended] = await eventually(
      async () => {
        const found = await database.query(
          `select type from event where stream = $1 and type <> 'RefundRegistered' order by version`,
          [`refund-${refundId}`],
        );
        return found.length > 0 && found;
      },
      { within: 20_000 },
    );
    expect(ended).toEqual({ type: 'RefundCompleted' });
    expect(await world.transaction(refundId)).toMatchObject({ state: 'Completed' });
    const tries = await psp.asked(new RegExp(`^PUT /v2/pix/${endToEndId}/devolucao/`));
    expect(tries.map(({ status }) => status)).toEqual([0, 409, 409]);
    expect((await psp.pix(endToEndId)).devolucoes).toHaveLength(1);
    const after = await world.balance();
    expect(Number(before.available) - Number(after.available)).toBeCloseTo(6);
    expect(after.held).toBe(before.held);
  });
});

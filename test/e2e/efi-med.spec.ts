import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { call, OperatorApi, type PartnerApi } from '../support/api.js';
import type { TestDatabase } from '../support/database.js';
import type { EfiPsp } from '../support/efi-psp.js';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';
import { eventually } from '../support/eventually.js';
import { followed } from '../support/followed.js';
import { sample } from '../support/metrics.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import { ADMIN_TOKEN, type Service } from '../support/service.js';
import { timerRuns } from '../support/timers.js';

let world: EfiWorld;
let psp: EfiPsp;
let database: TestDatabase;
let service: Service;
let api: PartnerApi;
let uid: string;

beforeAll(async () => {
  world = await efiWorld('0.00', { EFI_LOOKUP_LAG_SECONDS: '1' });
  ({ psp, database, service, api } = world);
  uid = world.partner.accounts[0]!;
}, 60_000);

afterAll(async () => {
  await world.stop();
});

async function deposit(original: string): Promise<{ readonly deposit: string; readonly paid: string }> {
  const payment = { value: { original } };
  const body = { payment, transaction: { orderId: 'pedido-1' }, webhook: WEBHOOK };
  const { id } = (await api.post('/accounts/pix/cashin', body)).body.data.transaction;
  const { endToEndId } = await psp.pay(txidOf(id));
  expect(await psp.callBack(await psp.pix(endToEndId))).toBe(200);
  await eventually(
    async () => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction.state === 'Completed',
  );
  return { deposit: id, paid: endToEndId };
}

const sweep = () => timerRuns(database, 'med-sweep');
/** How many calls of the rail failed, by their operation. */
const unavailable = async (operation: string) => {
  const scrape = await (await fetch(`${service.url}/metrics`)).text();
  return sample(scrape, 'pix_rail_calls_total', { operation, outcome: 'Unavailable' })[0] ?? 0;
};
const newest = async () => (await api.get('/med?limit=1')).body.data.items[0];
const refused = (answer: { status: number; body: any }) => [answer.status, answer.body.error.details.reason];

async function reported(
  amount: number,
): Promise<{ readonly id: string; readonly idInfracao: string; readonly deposit: string; readonly paid: string }> {
  const made = await deposit(amount.toFixed(2));
  const { paid } = made;
  const idInfracao = await psp.report(paid, amount);
  await sweep();
  const { id, endToEndId } = await newest();
  expect(endToEndId).toBe(paid);
  return { id, idInfracao, ...made };
}

describe('a report over Efí', () => {
  it('is found by the sweep, defended, and decided by the PSP, whose own return is recorded', async () => {
    const { id, idInfracao, deposit: depositId, paid } = await reported(12.5);
    expect(await newest()).toMatchObject({ status: 'Open', reason: 'Scam', details: 'Nunca chegou', amount: '12.50' });
    expect(await api.balance(uid)).toEqual({ available: '0.00', held: '0.00', blocked: '12.50' });
    const decided = await call(service.url, 'POST', `/admin/med/${id}/decision`, {
      token: ADMIN_TOKEN,
      body: { decision: 'Agreed' },
    });
    expect(refused(decided)).toEqual([422, 'DecidedByRail']);
    await api.post(`/med/${id}/defence`, { text: 'Entregue', links: ['https://loja.example/1'] });
    await eventually(async () => (await psp.infraction(idInfracao)).defesa === 'Entregue\nhttps://loja.example/1');

    // The partner gives a part back himself, with other money: that is no return of the PSP's.
    await new OperatorApi(service.url).post(`/accounts/${uid}/credits`, { amount: '0.50', reason: 'Teste' });
    const refund = await api.post(`/accounts/pix/cashin/${depositId}/refunds`, { amount: '0.50' });
    expect(refund.status).toBe(201);
    await eventually(async () => (await psp.pix(paid)).devolucoes.some(({ status }: any) => status === 'DEVOLVIDO'));
    expect(await psp.callBack(await psp.pix(paid))).toBe(200);
    await eventually(async () => (await api.balance(uid)).held === '0.00');
    await psp.giveBack(paid, '10.00');
    await psp.analyse(idInfracao, 'ACEITA');
    await sweep();
    const agreed = await eventually(async () => {
      const known = (await api.get(`/med/${id}`)).body.data;
      return known.returned === '10.00' && known;
    });
    expect(agreed).toMatchObject({ status: 'Agreed', agreed: '12.50', pending: '0.00' });
    // No more is blocked than the payer can still get back.
    expect(await api.balance(uid)).toEqual({ available: '0.50', held: '0.00', blocked: '2.00' });
    // This service has asked for no return of its own, but for the partner's refund.
    expect(await psp.asked(/^PUT .*devolucao/)).toHaveLength(1);
    await followed(database);
    const day = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    const { ledger, rail } = await new OperatorApi(service.url).get(`/reconciliation?date=${day}`);
    expect(ledger.RefundOut).toEqual(rail.RefundOut);
  }, 60_000);

  it.each([
    ['after it was agreed', '9.00', 0],
    ['before it was seen to be agreed', '5.00', 4],
  ])(
    'that is taken back %s releases nothing that the PSP gave back',
    async (when, given, released) => {
      const before = await api.balance(uid);
      const { id, idInfracao, paid } = await reported(9);
      const reaches = (status: string) =>
        eventually(async () => {
          const known = (await api.get(`/med/${id}`)).body.data;
          return known.status === status && known;
        });
      if (when === 'after it was agreed') {
        const asked = async () => (await psp.asked(new RegExp(`^GET .*/pix/${paid}`))).length;
        const askedBefore = await asked();
        await psp.analyse(idInfracao, 'ACEITA');
        await sweep();
        await reaches('Agreed');
        // The PSP was asked what it gave back, and will be in an hour.
        await eventually(async () => (await asked()) > askedBefore);
      }
      await psp.giveBack(paid, given);
      await psp.analyse(idInfracao, 'CANCELADA_EFI');
      await sweep();
      expect(await reaches('Cancelled')).toMatchObject({ returned: given, pending: '0.00' });
      const { available, held, blocked } = await api.balance(uid);
      expect([held, blocked]).toEqual([before.held, before.blocked]);
      expect(Number(available) - Number(before.available)).toBeCloseTo(released, 2);
    },
    60_000,
  );

  it('that is taken back waits for a refund of its deposit: it may leave what the PSP gave back', async () => {
    // Money of another deposit, by which the refund is covered.
    await deposit('10.00');
    const before = await api.balance(uid);
    const { id, idInfracao, paid, deposit: reportedOne } = await reported(10);
    for (let tries = 0; tries < 4; tries++) await psp.fail(/^PUT .*devolucao/, { kind: 'lost before' });
    const refund = (await api.post(`/accounts/pix/cashin/${reportedOne}/refunds`, {})).body.data.transaction.id;
    await psp.giveBack(paid, '10.00');
    await psp.analyse(idInfracao, 'CANCELADA_EFI');
    await sweep();
    expect((await api.get(`/med/${id}`)).body.data.status).toBe('Open');
    await psp.forgetFaults();
    expect(await world.reaches(refund, 'Error')).toMatchObject({ errorReason: 'PixDevolucaoInvalida' });
    await sweep();
    expect((await api.get(`/med/${id}`)).body.data).toMatchObject({ status: 'Cancelled', returned: '10.00' });
    expect(await api.balance(uid)).toEqual(before);
  }, 60_000);

  it('that is taken back waits for what the PSP has begun to give back', async () => {
    const before = await api.balance(uid);
    const { id, idInfracao, paid } = await reported(8);
    await psp.giveBack(paid, '5.00', 'EM_PROCESSAMENTO');
    await psp.analyse(idInfracao, 'CANCELADA_EFI');
    await sweep();
    expect((await api.get(`/med/${id}`)).body.data).toMatchObject({ status: 'Open', returned: '0.00' });
    await psp.endGivingBack(paid);
    await sweep();
    expect((await api.get(`/med/${id}`)).body.data).toMatchObject({ status: 'Cancelled', returned: '5.00' });
    const { available, held, blocked } = await api.balance(uid);
    expect([held, blocked]).toEqual([before.held, before.blocked]);
    expect(Number(available) - Number(before.available)).toBeCloseTo(3, 2);
  }, 60_000);

  it('that the PSP rejects releases the money, and a defence whose answer is lost is sent once', async () => {
    const { id, idInfracao } = await reported(7);
    const before = await api.balance(uid);
    await psp.fail(/^POST .*defesa/, { kind: 'lost after' });
    await api.post(`/med/${id}/defence`, { text: 'Entregue' });
    await eventually(async () => (await psp.asked(/^POST .*defesa/)).length >= 3, { within: 20_000 });
    expect(await psp.infraction(idInfracao)).toMatchObject({ status: 'EM_DEFESA', defesa: 'Entregue' });
    await psp.analyse(idInfracao, 'REJEITADA');
    await sweep();
    await eventually(async () => (await api.get(`/med/${id}`)).body.data.status === 'Rejected');
    expect(Number((await api.balance(uid)).available)).toBeCloseTo(Number(before.available) + 7, 2);

    await psp.analyse(idInfracao, 'ACEITA');
    await sweep();
    await eventually(() => service.output().includes('the rail decides about a report that was decided otherwise'));
    expect((await api.get(`/med/${id}`)).body.data.status).toBe('Rejected');
  }, 60_000);

  it.each<[string, number, object | undefined]>([
    ['a status without a name', 404, undefined],
    ['a refusal of its words', 400, { type: 'https://pix.bcb.gov.br/api/v2/error/InfracoesConsultaInvalida' }],
  ])(
    'gets its defence after %s, which ends nothing and is counted',
    async (_what, status, body) => {
      const { id, idInfracao } = await reported(3);
      const before = await unavailable('sendDefence');
      await psp.fail(/^POST .*defesa/, { kind: 'status', status, body });
      await api.post(`/med/${id}/defence`, { text: 'Entregue' });
      await eventually(async () => (await psp.infraction(idInfracao)).defesa === 'Entregue', { within: 20_000 });
      expect(await unavailable('sendDefence')).toBe(before + 1);
    },
    60_000,
  );

  it('that cannot be listed is counted: the application lacks the scope', async () => {
    const before = await unavailable('infractionsBetween');
    await psp.fail(/infracoes\?/, { kind: 'status', status: 403, body: { error: 'insufficient_scope' } });
    await sweep();
    expect(await unavailable('infractionsBetween')).toBe(before + 1);
  }, 60_000);

  it('opens no recovery of a payout, and says so before anything is promised', async () => {
    const body = {
      payment: { value: '1.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: 'pedido-2' },
      webhook: WEBHOOK,
    };
    const { id } = (await api.post('/accounts/pix/cashout', body)).body.data.transaction;
    const asked = await api.post(`/accounts/pix/cashout/${id}/recovery`, { reason: 'Scam', details: 'Golpe' });
    expect(refused(asked)).toEqual([422, 'RecoveryNotAvailable']);
    expect((await api.get('/recoveries')).body.data.items).toEqual([]);
  });
});

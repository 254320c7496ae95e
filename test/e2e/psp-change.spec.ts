import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { type TestAuthority, testAuthority } from '../support/certificates.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { bcbSettings, ModelPsp } from '../support/model-psp.js';
import { type Service, startService } from '../support/service.js';
import { timerRuns } from '../support/timers.js';

const KINDS = ['pix-send-refund', 'pix-return-payment'];

let authority: TestAuthority;
let before: ModelPsp;
let after: ModelPsp;
let database: TestDatabase;
let service: Service;
let partner: TestPartner;
let api: PartnerApi;

async function startAt(psp: ModelPsp): Promise<void> {
  await service?.stop();
  service = await startService(database.url, { ...bcbSettings(psp, authority), BCB_LOOKUP_LAG_SECONDS: '1' });
  partner ??= await new OperatorApi(service.url).partner(['100.00']);
  api = await PartnerApi.login(service.url, partner.credentials);
}

beforeAll(async () => {
  authority = testAuthority('PSP authority');
  [before, after] = await Promise.all([ModelPsp.start(authority), ModelPsp.start(authority)]);
  database = await createDatabase();
  await startAt(before);
}, 60_000);

afterAll(async () => {
  await assertLedgerSound(database);
  await service.stop();
  await database.drop();
  await Promise.all([before.close(), after.close()]);
});

async function deposit(original: string): Promise<string> {
  const answer = await api.post('/accounts/pix/cashin', {
    payment: { value: { original } },
    transaction: { orderId: `pedido-${original}` },
    webhook: { url: 'https://partner.example.com/hook' },
  });
  return answer.body.data.transaction.id;
}

const transaction = async (id: string) => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction;
const reaches = (id: string, state: string) => eventually(async () => (await transaction(id)).state === state);
const returns = async () =>
  (
    await database.query<{ type: string }>(
      `select type from event where type in ('PaymentReturnSettled', 'PaymentReturnRefused')`,
    )
  ).map(({ type }) => type);
const tries = async () =>
  (await database.query<{ attempts: number }>(`select attempts from work where kind = any($1)`, [KINDS])).map(
    ({ attempts }) => attempts,
  );

/** Every item is tried at once, or has ended. */
async function triedOnceMore(): Promise<void> {
  await database.query(`update work set attempts = 1, due_at = now() where kind = any($1)`, [KINDS]);
  await eventually(async () => (await tries()).every((attempts) => attempts > 1), { within: 20_000 });
}

it('a refund and a return that one PSP has taken are not ended by the next one, which knows neither', async () => {
  before.books.refunds = 'EM_PROCESSAMENTO';
  const paid = await deposit('20.00');
  await before.notify(service.url, [before.books.pay(txidOf(paid)).endToEndId]);
  await reaches(paid, 'Completed');
  const misfit = await deposit('30.00');
  const other = before.books.pay(txidOf(misfit), { valor: '29.00' });
  await before.notify(service.url, [other.endToEndId]);
  await reaches(misfit, 'Error');
  const refund = (await api.post(`/accounts/pix/cashin/${paid}/refunds`, {})).body.data.transaction.id;
  const { endToEndId: refundId } = await transaction(refund);
  await eventually(() => before.books.devolucao(refundId) && other.devolucoes.length === 1);
  const held = await api.balance(partner.accounts[0]!);

  await startAt(after);
  await triedOnceMore();
  expect(await transaction(refund)).toMatchObject({ state: 'Registered' });
  expect(await api.balance(partner.accounts[0]!)).toEqual(held);
  expect(await returns()).toEqual([]);
  expect(after.asked(/devolucao/)).toEqual([]);

  before.books.endRefund(refundId, 'DEVOLVIDO');
  before.books.endRefund(other.devolucoes[0]!.id, 'DEVOLVIDO');
  await startAt(before);
  await triedOnceMore();
  await reaches(refund, 'Completed');
  await eventually(async () => (await returns()).length === 1);
  expect(await returns()).toEqual(['PaymentReturnSettled']);
}, 120_000);

it('what one PSP took while another one was asked is found once it is asked again', async () => {
  const id = await deposit('40.00');
  await service.stop();
  await database.query(`update pix_sweep set swept_until = now() - interval '30 minutes'`);
  const paid = before.books.pay(txidOf(id));
  const horario = new Date(Date.now() - 20 * 60_000).toISOString();
  before.books.pix.set(paid.endToEndId, { ...paid, horario });
  await startAt(after);
  await timerRuns(database, 'pix-sweep');
  expect(await transaction(id)).toMatchObject({ state: 'Registered' });
  await startAt(before);
  await reaches(id, 'Completed');
}, 120_000);

import { call, OperatorApi, PartnerApi, type TestPartner } from './api.js';
import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { type LedgerFixture, makeLedger } from './ledger-fixture.js';
import { csvOf, payoutRow, PayoutFiles } from './payout-files.js';
import { dayBefore, unknownPayout, timerRuns } from './timers.js';

/** Nobody listens there: its deliveries stay unfinished. */
const webhook = { url: 'http://127.0.0.1:65535/hook', customHeaderName: 'X-Api-Key', customHeaderValue: 'a secret' };
const MARIA = { name: 'Maria Silva', cpf: '11144477735' };
const ACCOUNT = { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' };
const PAYER = { ...ACCOUNT, name: 'Fulano de Tal', taxNumber: '52998224725' };

/**
 * The ledger of `makeLedger` with payments of every kind in it: payouts that completed, failed, came back and are under
 * way, deposits that were paid, did not fit, were cancelled and are open, refunds both ways; an auditor, a revoked key,
 * a person who was forgotten, cases of a night, one of them closed, holds that wait, were filled and have ended, which
 * are told at the account's third address, reports of infractions and recoveries.
 */
export function makePaymentsLedger(): Promise<LedgerFixture> {
  return makeLedger('payments', fill);
}

async function fill(url: string, partner: TestPartner, database: TestDatabase): Promise<void> {
  const api = await PartnerApi.login(url, partner.credentials);
  const operator = new OperatorApi(url);
  const must = async (path: string, body: object) => {
    const answer = await api.post(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  let orders = 0;
  const order = () => ({ orderId: `order-${(orders += 1)}`, orderDescription: 'Pedido' });
  const cashOut = async (value: string, to: object) =>
    (await must('/accounts/pix/cashout', { payment: { value, ...to }, transaction: order(), webhook })).transaction.id;
  const cashIn = async (original: string, payer: object = {}) => {
    const payment = { value: { original }, payer: { name: 'Fulano de Tal', ...payer } };
    const made = await must('/accounts/pix/cashin', { payment, transaction: order(), webhook });
    return { id: made.transaction.id as string, qrCode: made.payment.qrCode as string };
  };
  const pay = (qrCode: string) => call(url, 'POST', '/sandbox/pix/payments', { body: { qrCode, payer: PAYER } });
  const reaches = (id: string, state: string) =>
    eventually(async () => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction.state === state);

  await operator.patch(`/accounts/${partner.accounts[0]}/limits`, {
    month: '100000.00',
    payoutsPerHour: 1_000,
    payee: { day: '50000.00', night: '50000.00' },
  });
  const secure = { name: 'Maria Silva', taxNumber: '52998224725', limits: { day: '100.00' } };
  for (const taxNumber of ['52998224725', '11144477735', '39053344705', '15350946056']) {
    await operator.post(`/accounts/${partner.accounts[0]}/contacts`, { ...secure, taxNumber });
  }
  // Beside the account with limits there is one of the fixture's accounts for each way of altering one.
  await operator.post(`/partners/${partner.uid}/accounts`, { name: 'Conta 4', taxNumber: partner.taxNumber });
  const byAccount = { recipient: { ...MARIA, account: ACCOUNT } };
  const byKey = { key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: MARIA };
  await reaches(await cashOut('10.00', byAccount), 'Completed');
  await reaches(await cashOut('11.00', byKey), 'Completed');
  await reaches(await cashOut('10.97', byAccount), 'Error');
  await reaches(await cashOut('10.96', byAccount), 'Completed');
  const payouts = async () => {
    const { items } = (await api.get('/accounts/transactions?type=CashOut&state=Completed')).body.data;
    return items.slice(0, 3).map(({ transaction }: any) => transaction.id as string);
  };
  for (const value of ['10.98', '12.98', '14.98', '16.98']) await cashOut(value, byAccount);
  const deposits = [await cashIn('50.00'), await cashIn('60.00')];
  for (const { id, qrCode } of deposits) {
    await pay(qrCode);
    await reaches(id, 'Completed');
  }
  const misfit = await cashIn('20.00', { cpf: '11144477735' });
  await pay(misfit.qrCode);
  await reaches(misfit.id, 'Error');
  await cashIn('30.00');
  await cashIn('31.00');
  const cancelled = await cashIn('32.00');
  await must(`/accounts/pix/cashin/${cancelled.id}/cancel`, {});
  const refund = await must(`/accounts/pix/cashin/${deposits[0]!.id}/refunds`, { amount: '5.00' });
  await reaches(refund.transaction.id, 'Completed');
  // What the payee of 10.96 sends back.
  await eventually(async () => {
    const { body } = await api.get('/accounts/transactions?limit=100');
    return body.data.items.filter(({ transaction }: any) => transaction.type === 'Refund').length === 2;
  });
  for (const centavos of [1, 2, 3, 4]) await unknownPayout(database, dayBefore(1), centavos);
  await timerRuns(database, 'pix-reconcile');
  const { items } = await operator.get('/reconciliation/cases');
  await operator.post(`/reconciliation/cases/${items.at(-1).id}/close`, { note: 'A payment of the test.' });
  await file(url, api.token);
  for (const path of ['/first', '/second', '/third']) {
    const token = api.token;
    const body = { ...webhook, url: webhook.url + path };
    await call(url, 'PUT', `/partners-int/accounts/${partner.accounts[2]}/webhook`, { token, body });
  }
  await holds(operator, partner.accounts[2]!);
  await cases(url, api, deposits[1]!.id, await payouts());
  const rule = { name: 'All above', amountAbove: '69.99', companies: true };
  await operator.post(`/partners/${partner.uid}/cautionary-rules`, rule);
  for (const original of ['70.00', '71.00', '72.00', '73.00']) {
    const { id, qrCode } = await cashIn(original);
    await pay(qrCode);
    await reaches(id, 'Completed');
  }
  const [blocked] = (await operator.get(`/accounts/${partner.accounts[0]}/holds`)).items;
  const back = await operator.post(`/accounts/${partner.accounts[0]}/holds/${blocked.id}/return`, { amount: '7.00' });
  await reaches(back.transaction.id, 'Completed');
  await cashOut('18.98', byAccount);
  const told = await database.query<{ id: string }>('select id from webhook_delivery order by id limit 2');
  for (const { id } of told) await operator.post(`/webhooks/deliveries/${id}/redeliver`);
  // As an older version wrote it.
  await database.query(
    `update work set payload = 'null' where id = (select id from work where kind = 'pix-send-payment' order by id limit 1)`,
  );
  await schedules(must, partner.accounts[1]!, webhook);
  await operator.post('/auditors', { name: 'All' });
  await operator.post('/auditors', { name: 'One', partnerUid: partner.uid });
  const key = await operator.post(`/accounts/${partner.accounts[1]}/access-keys`, {});
  await operator.post(`/access-keys/${key.accessKey}/revoke`);
}

/** Reports about one deposit: one is agreed with and returned, one rejected, three are open; and three recoveries. */
async function cases(url: string, api: PartnerApi, deposit: string, payouts: readonly string[]): Promise<void> {
  const operator = new OperatorApi(url);
  const { endToEndId } = (await api.get(`/accounts/transactions/${deposit}`)).body.data.transaction;
  const report = async (amount: string) => {
    await call(url, 'POST', '/sandbox/pix/infractions', {
      body: { endToEndId, amount, reason: 'Scam', details: 'Golpe' },
    });
    return (await api.get('/med?limit=1')).body.data.items[0].id as string;
  };
  const agreed = await report('2.00');
  await api.post(`/med/${agreed}/defence`, { text: 'Entregue', links: [] });
  await operator.post(`/med/${agreed}/decision`, { decision: 'Agreed', note: 'Nota' });
  await eventually(async () => (await api.get(`/med/${agreed}`)).body.data.status === 'Closed');
  await operator.post(`/med/${await report('1.00')}/decision`, { decision: 'Rejected' });
  await report('1.50');
  await report('1.60');
  await report('1.70');
  for (const id of payouts) {
    const words = { reason: 'Other', details: 'Golpe' };
    const { body } = await api.post(`/accounts/pix/cashout/${id}/recovery`, words);
    const reaches = (status: string) =>
      eventually(async () => (await api.get(`/recoveries/${body.data.id}`)).body.data.status === status);
    await reaches('Opened');
    if (id !== payouts[0]) continue;
    await call(url, 'POST', `/sandbox/pix/recoveries/${body.data.id}/refuse`);
    await reaches('Refused');
  }
}

/** Transfers and a payout that wait, one that was taken back, and two schedules. */
async function schedules(must: (path: string, body: object) => Promise<any>, to: string, webhook: object) {
  const transfer = { refAccountCredit: to, transferAmount: '1.00', transferDescription: 'Later' };
  const scheduledFor = new Date(Date.now() + 100 * 86_400_000).toISOString();
  const later = async () => (await must('/accounts/transfer', { ...transfer, scheduledFor })).id;
  for (let n = 0; n < 4; n++) await later();
  await must(`/accounts/transactions/${await later()}/cancel`, {});
  const payment = { value: '10.00', recipient: { ...MARIA, account: ACCOUNT } };
  await must('/accounts/pix/cashout', { payment, transaction: { orderId: 'later', scheduledFor }, webhook });
  for (const every of ['week', 'month']) {
    for (let n = 0; n < 2; n++)
      await must('/accounts/schedules', { every, startsOn: scheduledFor, count: 3, transfer });
  }
}

/** Of two lines one is paid and one is refused. */
async function file(url: string, token: string): Promise<void> {
  const files = new PayoutFiles(url, token);
  const { id } = (await files.upload(csvOf(payoutRow('file-1', '0.01'), payoutRow('file-2', '9000000.00')))).body.data;
  await files.ended(id);
  await eventually(async () => (await files.get(id)).body.data.counts.completed === 1);
}

/** One has ended, one was released and executed in parts, two are whole, one waits and got a credit. */
async function holds(operator: OperatorApi, uid: string): Promise<void> {
  const place = async (amount: string, more: object = {}) =>
    (await operator.post(`/accounts/${uid}/holds`, { amount, cause: 'Judicial', reference: 'R-1', ...more })).id;
  const ended = await place('1.00', { cause: 'Guarantee' });
  await operator.post(`/accounts/${uid}/holds/${ended}/release`, {});
  const parts = await place('5.00', { cause: 'Med', note: 'A note of the test.' });
  await operator.post(`/accounts/${uid}/holds/${parts}/release`, { amount: '1.00' });
  const destination = { kind: 'MedReturn', reference: 'D1' };
  await operator.post(`/accounts/${uid}/holds/${parts}/execute`, { amount: '1.50', destination });
  await place('2.00');
  await operator.post(`/accounts/${uid}/holds`, { amount: '3.00', cause: 'Cautionary', reference: 'R-2' });
  await place('1000.00', { retryUntil: '2100-01-01T00:00:00Z' });
  await operator.post(`/accounts/${uid}/credits`, { amount: '20.00', reason: 'It is blocked at once.' });
}

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { testAuthority } from '../support/certificates.js';
import { EfiPsp, efiSettings } from '../support/efi-psp.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-cli.js';
import { sample } from '../support/metrics.js';
import { PSP_KEY } from '../support/model-psp-books.js';
import { PayoutFiles, payoutCsv } from '../support/payout-files.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import { withClient } from '../support/restore-lab.js';
import { type Service, startService } from '../support/service.js';
import { type StandbyLab, startWithStandby } from '../support/standby-lab.js';

let lab: StandbyLab;
let psp: EfiPsp;
let service: Service;

beforeAll(async () => {
  const authority = testAuthority('Efí authority');
  [lab, psp] = await Promise.all([startWithStandby(), EfiPsp.start(authority)]);
  service = await startService(
    lab.url,
    efiSettings(psp, authority, PSP_KEY, 'a-token-of-the-webhook-address-0123456789'),
  );
  await eventually(() => psp.webhookUrl());
  await psp.callbacks({ to: service.url });
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await Promise.all([lab?.remove(), psp?.close()]);
}, 60_000);

const payout = (value: string) => ({
  payment: { value, key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
  transaction: { orderId: 'pedido-1' },
  webhook: WEBHOOK,
});

/** As the PSP does it: until it is taken. */
const callBack = (pix: object) => eventually(async () => (await psp.callBack(pix)) === 200);

const returnsOf = (endToEndId: string) =>
  withClient(lab.url, async (client) => {
    const ends = `type in ('PaymentReturnSettled', 'PaymentReturnRefused')`;
    const text = `select type from event where ${ends} and data ->> 'endToEndId' = $1`;
    const { rows } = await client.query<{ type: string }>(text, [endToEndId]);
    return rows.length > 0 && rows.map(({ type }) => type);
  });

it('what had left, and is gone with a standby that lagged, is not sent again', async () => {
  const partner = await new OperatorApi(service.url).partner(['1000.00']);
  const api = await PartnerApi.login(service.url, partner.credentials);
  const make = async (path: string, body: object, key: string) => {
    const answer = await api.post(path, body, { 'idempotency-key': key });
    expect(answer.status).toBe(201);
    return answer.body.data.transaction.id as string;
  };
  const payOut = (key: string, value: string) => make('/accounts/pix/cashout', payout(value), key);
  const batch = async () => {
    const items = ['b-1', 'b-2'].map((idempotencyKey, i) => ({ ...payout(`${20 + i}.00`), idempotencyKey }));
    const { status, body } = await api.post('/accounts/pix/cashouts/batch', { items });
    expect([status, body.data.counts]).toEqual([200, { done: 2, error: 0 }]);
    return body.data.items.map((item: any) => item.data.transaction.id as string) as string[];
  };
  const files = new PayoutFiles(service.url, api.token);
  const upload = async () => {
    const { status, body } = await files.upload(payoutCsv(3), { 'idempotency-key': 'file' });
    expect(status).toBe(201);
    const isPaid = async () => {
      const lines = await files.results(body.data.id);
      return lines.length === 3 && lines.every(({ state }) => state === 'Completed') && lines;
    };
    return eventually(isPaid, { within: 30_000 });
  };
  const read = async (id: string) => (await api.get(`/accounts/transactions/${id}`)).body.data?.transaction;
  const ended = (ids: readonly string[], state: string) =>
    eventually(
      async () => {
        const all = await Promise.all(ids.map(read));
        return all.every((one) => one.state === state) && all;
      },
      { within: 30_000 },
    );

  const charge = { payment: { value: { original: '30.00' } }, transaction: { orderId: 'pedido-2' }, webhook: WEBHOOK };
  const deposit = await make('/accounts/pix/cashin', charge, 'deposit');
  const { endToEndId } = await psp.pay(txidOf(deposit));
  await psp.callBack(await psp.pix(endToEndId));
  await ended([deposit], 'Completed');
  const wrong = await make('/accounts/pix/cashin', charge, 'wrong');
  const payment = await psp.pay(txidOf(wrong), { valor: '31.00' });
  const isReturned = async () => {
    await callBack(await psp.pix(payment.endToEndId));
    return eventually(() => returnsOf(payment.endToEndId), { within: 30_000 });
  };
  const refund = (key: string, amount: string) => make(`/accounts/pix/cashin/${deposit}/refunds`, { amount }, key);

  await lab.cutOff();
  const lost = [await payOut('paid', '10.00'), ...(await batch()), await refund('given-back', '4.00')];
  const before = [...(await ended(lost, 'Completed')), ...(await upload())];
  await ended([await payOut('another', '11.00')], 'Completed');
  await ended([await payOut('came-back', '14.00')], 'Completed');
  const scheduledFor = new Date(Date.now() + 1_500).toISOString();
  const forLater = { ...payout('15.00'), transaction: { orderId: 'pedido-3', scheduledFor } };
  await ended([await make('/accounts/pix/cashout', forLater, 'later')], 'Completed');
  await psp.behave({ ends: 'NAO_REALIZADO' });
  await ended([await payOut('refused', '12.00')], 'Error');
  await psp.behave({ ends: 'REALIZADO' });
  expect(await isReturned()).toEqual(['PaymentReturnSettled']);
  const sent = await psp.sent();
  expect(sent).toHaveLength(10);

  await lab.failOver();
  await eventually(async () => (await api.get('/accounts')).status === 200, { within: 15_000 });
  for (const id of lost) expect(await read(id)).toBeUndefined();
  expect(await isReturned()).toEqual(['PaymentReturnSettled']);
  expect((await psp.pix(payment.endToEndId)).devolucoes).toHaveLength(1);

  // The payee's bank sends money back that the ledger does not know to have left.
  const { idEnvio } = sent.find(({ valor }) => valor === '14.00')!;
  await psp.sendBack(idEnvio, '14.00');
  await callBack(await psp.callbackOf(idEnvio));
  await eventually(async () => {
    const scrape = await (await fetch(`${service.url}/metrics`)).text();
    return sample(scrape, 'pix_unmatched_payments_total', { kind: 'Return' })[0] === 1;
  });
  const atPsp = await psp.sent();

  const repeated = [await payOut('paid', '10.00'), ...(await batch()), await refund('given-back', '4.00')];
  const after = [...(await ended(repeated, 'Completed')), ...(await upload())];
  await ended([await payOut('refused', '12.00')], 'Error');
  const [returned] = await ended([await payOut('came-back', '14.00')], 'Completed');
  const refundsOf = async () => {
    const { items } = (await api.get('/accounts/transactions?type=Refund')).body.data;
    return items.filter(({ transaction }: any) => transaction.refundOf === returned.id);
  };
  const refunds = await eventually(async () => (await refundsOf()).length > 0 && refundsOf());
  expect(refunds).toMatchObject([{ transaction: { state: 'Completed', amount: '14.00' } }]);
  const late = await api.post('/accounts/pix/cashout', forLater, { 'idempotency-key': 'later' });
  expect([late.status, late.body.error.details.reason]).toEqual([400, 'ScheduledForNotAllowed']);
  expect(await psp.sent()).toEqual(atPsp);
  const { devolucoes } = await psp.pix(endToEndId);
  expect(devolucoes).toMatchObject([{ valor: '4.00' }]);
  // As they were sent, with the identifiers that other banks know.
  const names = (transactions: readonly any[]) => transactions.map((one) => one.endToEndId);
  expect(names(after)).toEqual(names(before));

  // Another payment under a key that is unknown again is not taken for the one that is gone.
  const [other] = await ended([await payOut('another', '13.00')], 'Completed');
  expect((await psp.sent()).slice(sent.length)).toMatchObject([{ valor: '13.00', endToEndId: other.endToEndId }]);
  await ended([await refund('again', '5.00')], 'Completed');
  expect((await psp.pix(endToEndId)).devolucoes).toHaveLength(2);
  const { code, stdout } = await runLedger(['verify'], { DATABASE_URL: lab.url });
  expect([code, stdout]).toEqual([0, expect.stringContaining('OK: nothing diverges')]);
}, 120_000);

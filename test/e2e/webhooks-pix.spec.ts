import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { PartnerReceiver, type Receipt } from '../support/partner-receiver.js';
import { type Service, startService } from '../support/service.js';

/** Contract 2.7, field by field, as a receiver process gets it that verifies with the `standardwebhooks` package. */

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ACCOUNT = { ispb: '60701190', branch: '0123', number: '45678', digit: '9', type: 'SavingsAccount' };
const PARTY = {
  bankCode: '60701190',
  accountAgency: '0123',
  accountNumber: '45678',
  accountDigit: '9',
  accountType: 'SavingsAccount',
};
const CPF = '52998224725';

let database: TestDatabase;
let service: Service;
let receiver: PartnerReceiver;
let partner: TestPartner;
let session: PartnerApi;
let operator: OperatorApi;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { PUBLIC_URL: 'https://pagamentos.example' });
  operator = new OperatorApi(service.url);
  partner = await operator.partner(['1000.00']);
  await operator.patch(`/partners/${partner.uid}/settings`, { cashOutCharge: '0.30', cashInCharge: '0.20' });
  session = await PartnerApi.login(service.url, partner.credentials);
  receiver = await PartnerReceiver.start([partner.webhookSecret]);
}, 60_000);

afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
  await database?.drop();
});

async function cashOut(path: string, value: string): Promise<string> {
  const answer = await session.post('/accounts/pix/cashout/', {
    payment: { value, recipient: { name: 'Maria Silva', cpf: CPF, account: ACCOUNT } },
    transaction: { orderId: `order${path}`, orderDescription: 'Um pedido' },
    webhook: { url: receiver.url(path), customHeaderName: 'Authorization', customHeaderValue: 'Bearer abc' },
  });
  expect(answer.status).toBe(201);
  expect(answer.body.data.transaction.state).toBe('Registered');
  return answer.body.data.transaction.id;
}

async function cashIn(path: string, payment: Record<string, unknown> = {}) {
  const answer = await session.post('/accounts/pix/cashin', {
    transaction: { orderId: `order${path}` },
    payment: { value: { original: '50.00' }, payer: { name: 'Maria Silva' }, ...payment },
    webhook: { url: receiver.url(path) },
  });
  expect(answer.status).toBe(201);
  return { id: answer.body.data.transaction.id as string, qrCode: answer.body.data.payment.qrCode as string };
}

function sandbox(path: string, body: unknown = {}) {
  return call(service.url, 'POST', `/sandbox/pix${path}`, { body });
}

async function pay(qrCode: string, taxNumber = CPF) {
  const answer = await sandbox('/payments', { qrCode, payer: { name: 'Maria Silva', taxNumber, ...ACCOUNT } });
  expect(answer.status).toBe(201);
  return answer.body.data as { endToEndId: string; outcome: string };
}

/** The one delivery at a path: verified, and no other comes with it. */
async function only(path: string): Promise<{ receipt: Receipt; body: any }> {
  const [receipt] = await receiver.arrived(path, 1);
  expect(receipt!.verifiedBy).toBe(0);
  return { receipt: receipt!, body: JSON.parse(receipt!.body) };
}

/** What every delivery of a cash-out of these tests says, whatever its state. */
const debit = (path: string, id: string, amount: string) => ({
  id,
  transactionDate: ISO,
  transactionAmount: amount,
  transactionType: 'Debit',
  transactionPaymentType: 'PIX',
  transactionOrderId: `order${path}`,
  transactionOrderDescription: 'Um pedido',
  transactionCharges: '0.30',
  webhookUrl: receiver.url(path),
  transactionReceipt: '',
  transactionReceiptDate: null,
  transactionReceiptVoucher: expect.stringMatching(/^E[0-9A-Za-z]{31}$/),
  stateRegisteredDate: ISO,
  stateCompletedDate: null,
  recipient: { name: 'Maria Silva', taxNumber: CPF, ...PARTY },
});

const credit = (path: string, id: string) => ({
  id,
  transactionDate: ISO,
  transactionAmount: '50.00',
  transactionType: 'Credit',
  transactionPaymentType: 'PIX',
  transactionOrderId: `order${path}`,
  transactionOrderDescription: '',
  transactionCharges: '0.20',
  webhookUrl: receiver.url(path),
  transactionReceipt: '',
  transactionReceiptDate: null,
  transactionReceiptVoucher: '',
  stateRegisteredDate: ISO,
  stateCompletedDate: null,
  payer: {
    name: 'Maria Silva',
    taxNumber: '',
    bankCode: '',
    accountAgency: '',
    accountNumber: '',
    accountDigit: '',
    accountType: '',
  },
});

const receiptOf = (id: string) =>
  expect.stringMatching(new RegExp(`^https://pagamentos\\.example/pix/receipts/${id}/`));
const paidBy = { name: 'Maria Silva', taxNumber: CPF, ...PARTY };

describe('a cash-out', () => {
  it('Completed: the body of contract 2.7, with its receipt and the custom header', async () => {
    const id = await cashOut('/out/completed', '10.00');
    const { receipt, body } = await only('/out/completed');
    expect(body).toEqual({
      ...debit('/out/completed', id, '10.00'),
      transactionState: 'Completed',
      transactionReceipt: receiptOf(id),
      transactionReceiptDate: ISO,
      stateCompletedDate: ISO,
    });
    expect(receipt.headers).toMatchObject({ authorization: 'Bearer abc', 'content-type': 'application/json' });
    const read = await eventually(async () => {
      const { body: shown } = await session.get(`/accounts/transactions/${id}`);
      return shown.data.webhook.deliveryStatus === 'Delivered' && shown.data;
    });
    expect(read.transaction.state).toBe('Completed');
  });

  it('Error: with its date and cause', async () => {
    const id = await cashOut('/out/error', '10.97');
    const { body } = await only('/out/error');
    expect(body).toEqual({
      ...debit('/out/error', id, '10.97'),
      transactionState: 'Error',
      stateErrorDate: ISO,
      stateErrorCause: 'AC07',
    });
  });

  it('Reversed: with its date', async () => {
    const id = await cashOut('/out/reversed', '10.99');
    const { body } = await only('/out/reversed');
    expect(body).toEqual({
      ...debit('/out/reversed', id, '10.99'),
      transactionState: 'Reversed',
      stateReversedDate: ISO,
    });
  });

  it('a refund by the payee: a Credit of its own after the completion, to the same address', async () => {
    const id = await cashOut('/out/refunded', '10.96');
    const receipts = await receiver.arrived('/out/refunded', 2);
    const [first, second] = receipts.map(({ body }) => JSON.parse(body));
    expect(first).toMatchObject({ id, transactionState: 'Completed', transactionType: 'Debit' });
    expect(second).toEqual({
      ...debit('/out/refunded', expect.any(String) as never, '5.48'),
      transactionType: 'Credit',
      transactionCharges: '0.00',
      transactionState: 'Completed',
      transactionReceipt: receiptOf(second.id),
      transactionReceiptDate: ISO,
      transactionReceiptVoucher: expect.stringMatching(/^D[0-9A-Za-z]{31}$/),
      stateCompletedDate: ISO,
    });
    expect(second.id).not.toBe(id);
  });
});

describe('a cash-in', () => {
  it('Completed: the payer is the one who paid', async () => {
    const { id, qrCode } = await cashIn('/in/completed');
    const { endToEndId } = await pay(qrCode);
    const { body } = await only('/in/completed');
    expect(body).toEqual({
      ...credit('/in/completed', id),
      transactionState: 'Completed',
      transactionReceipt: receiptOf(id),
      transactionReceiptDate: ISO,
      transactionReceiptVoucher: endToEndId,
      stateCompletedDate: ISO,
      payer: paidBy,
    });
  });

  it('Error: the payment did not fit', async () => {
    const { id, qrCode } = await cashIn('/in/error', { payer: { name: 'Maria Silva', cpf: '11144477735' } });
    const { endToEndId, outcome } = await pay(qrCode);
    expect(outcome).toBe('Returned');
    const { body } = await only('/in/error');
    expect(body).toEqual({
      ...credit('/in/error', id),
      transactionState: 'Error',
      transactionReceiptVoucher: endToEndId,
      stateErrorDate: ISO,
      stateErrorCause: 'PayerTaxNumberMismatch',
      payer: paidBy,
    });
  });

  it('Cancelled: with its date', async () => {
    const { id } = await cashIn('/in/cancelled');
    expect((await session.post(`/accounts/pix/cashin/${id}/cancel`)).status).toBe(200);
    const { body } = await only('/in/cancelled');
    expect(body).toEqual({ ...credit('/in/cancelled', id), transactionState: 'Cancelled', stateCancelledDate: ISO });
  });

  it('Cancelled: the payer is that of the request, without an account type', async () => {
    const { type: _, ...account } = ACCOUNT;
    const payer = { name: 'Maria Silva', cpf: CPF, account };
    const { id } = await cashIn('/in/named', { payer });
    expect((await session.post(`/accounts/pix/cashin/${id}/cancel`)).status).toBe(200);
    const { body } = await only('/in/named');
    expect(body.payer).toEqual({ ...paidBy, accountType: '' });
  });

  it('Reversed: with its date', async () => {
    const { id } = await cashIn('/in/reversed');
    expect((await sandbox(`/transactions/${id}/reverse`)).status).toBe(200);
    const { body } = await only('/in/reversed');
    expect(body).toEqual({ ...credit('/in/reversed', id), transactionState: 'Reversed', stateReversedDate: ISO });
  });

  it('a refund by the partner: a Debit of its own with the payer of the deposit, notified when it ends and not before', async () => {
    const { id, qrCode } = await cashIn('/in/refunded');
    await pay(qrCode);
    await only('/in/refunded');
    const refund = await session.post(`/accounts/pix/cashin/${id}/refunds`, { amount: '20.00' });
    expect(refund.status).toBe(201);
    const receipts = await receiver.arrived('/in/refunded', 2);
    expect(JSON.parse(receipts[1]!.body)).toEqual({
      ...credit('/in/refunded', refund.body.data.transaction.id),
      transactionAmount: '20.00',
      transactionType: 'Debit',
      transactionCharges: '0.00',
      transactionState: 'Completed',
      transactionReceipt: receiptOf(refund.body.data.transaction.id),
      transactionReceiptDate: ISO,
      transactionReceiptVoucher: expect.stringMatching(/^D[0-9A-Za-z]{31}$/),
      stateCompletedDate: ISO,
      payer: paidBy,
    });
    expect(receiver.at('/in/refunded')).toHaveLength(2);
  });
});

describe('order', () => {
  it('a refund’s webhook is sent only once the completion before it is delivered', async () => {
    receiver.behave('/out/ordered', '500');
    const id = await cashOut('/out/ordered', '12.96');
    await receiver.arrived('/out/ordered', 1);
    const waiting = await eventually(async () => {
      const { body } = await session.get(`/webhooks/deliveries?status=Pending`);
      // The payout itself may still be Pending: its first attempt is under way. The refund is the other one.
      const theirs = (item: { url: string; transactionId: string }) =>
        item.url === receiver.url('/out/ordered') && item.transactionId !== id;
      return body.data.items.find(theirs);
    });
    expect(waiting).toMatchObject({ attempts: [], nextAttemptAt: null });
    expect(receiver.at('/out/ordered').every((receipt) => JSON.parse(receipt.body).id === id)).toBe(true);
    receiver.behave('/out/ordered', '200');
    const [blocking] = (await session.get(`/webhooks/deliveries?transactionId=${id}`)).body.data.items;
    expect(blocking.status).toBe('Retrying');
    expect((await session.post(`/webhooks/deliveries/${blocking.id}/redeliver`)).status).toBe(202);
    const receipts = await receiver.arrived('/out/ordered', 3);
    const states = receipts.map((receipt) => JSON.parse(receipt.body).id);
    expect(states.slice(0, -1).every((one) => one === id)).toBe(true);
    expect(states.at(-1)).toBe(waiting.transactionId);
  });
});

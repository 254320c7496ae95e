import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, type TestPartner } from '../../../test/support/api.js';
import { routesFor } from '../../../test/support/api-document.js';
import { createDatabase, type TestDatabase } from '../../../test/support/database.js';
import { eventually } from '../../../test/support/eventually.js';
import { type Service, startService } from '../../../test/support/service.js';
import { type Receiver, startReceiver } from '../../../test/support/webhook-receiver.js';
import {
  AuthenticationError,
  type CashInPayment,
  EntityNotFoundError,
  ForbiddenError,
  InvalidInputError,
  OperationError,
  PaymentsClient,
  toCentavos,
  WebhookVerifier,
} from '../src/index.js';
import { losingAnswers } from './losing-answers.js';

/** The client against the built service. */

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;
let receiver: Receiver;
let client: PaymentsClient;
let webhook: { url: string };

const PAYER = { name: 'Ana Lima', taxNumber: '52998224725', ispb: '00000000', branch: '0001', number: '12345' };

const PAYROLL = 'value,keyType,key,name,cpf,orderId\n2.50,CPF,52998224725,Ana Lima,52998224725,salary-1\n';

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { PUBLIC_URL: 'http://pay.example.com' });
  operator = new OperatorApi(service.url);
  partner = await operator.partner(['100.00', '0.00']);
  receiver = await startReceiver((response) => void response.writeHead(204).end());
  webhook = { url: `http://127.0.0.1:${receiver.port}/hook` };
  client = new PaymentsClient({ baseUrl: `${service.url}/`, ...partner.credentials });
});

afterAll(async () => {
  await receiver?.close();
  await service?.stop();
  await database?.drop();
});

async function balanceOf(uid: string): Promise<bigint> {
  return toCentavos((await client.accounts.get(uid)).balance.available);
}

describe('the client', () => {
  it('transfers, and reads what became of it', async () => {
    const [source, destination] = partner.accounts as [string, string];
    const transfer = { refAccountCredit: destination, transferAmount: '10.50', transferDescription: 'Rent' };
    const first = await client.transfers.create(transfer, { idempotencyKey: 'rent-2026-11' });
    const second = await client.transfers.create(transfer, { idempotencyKey: 'rent-2026-11' });
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect(second.data).toEqual(first.data);
    expect(await balanceOf(source)).toBe(8_950n);
    const { transaction, payment, webhook } = await client.transactions.get(first.data.id);
    expect(transaction).toMatchObject({ type: 'Transfer', state: 'Completed', amount: '-10.50', orderId: null });
    expect([payment, webhook]).toEqual([null, null]);
    const entries = await eventually(async () => {
      const { items } = await client.accounts.statement(source, { limit: 1 }).page();
      return items[0]?.transactionId === first.data.id && items;
    });
    expect(entries[0]).toMatchObject({ amount: '-10.50', balanceAfter: '89.50', description: 'Rent' });
  });

  it('has a method for every route of partners', async () => {
    const source = await readFile('clients/typescript/src/client.ts', 'utf8');
    // `${TRANSFER}` and the like, written out; what a call puts in is `{}`, as in the document.
    const constants = new Map(
      [...source.matchAll(/^const (\w+) = '(\/[^']+)';/gm)].map(([, name, path]) => [name, path]),
    );
    const written = source.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => constants.get(name) ?? whole);
    const paths = [...written.matchAll(/(\/partners-int\/[^'`?\s]*)['`]/g)].map(([, path]) =>
      path!.replaceAll(/\$\{segment\(\w+\)\}/g, '{}'),
    );
    const inDocument = routesFor('partner').map(({ path }) => path.replaceAll(/\{\w+\}/g, '{}'));
    expect([...new Set(inDocument)].filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('tells what an account may pay out, and what blocks its money', async () => {
    const given = await operator.partner(['100.00']);
    const [uid] = given.accounts as [string];
    await operator.patch(`/accounts/${uid}/limits`, { day: '50.00' });
    const hold = await operator.post(`/accounts/${uid}/holds`, {
      amount: '10.00',
      cause: 'Judicial',
      reference: 'r-1',
    });
    const { accounts } = new PaymentsClient({ baseUrl: service.url, ...given.credentials });
    expect((await accounts.limits(uid)).day).toMatchObject({ limit: '50.00', used: '0.00', left: '50.00' });
    expect((await accounts.holds(uid).page()).items).toMatchObject([{ id: hold.id, blocked: '10.00' }]);
    expect(await accounts.contacts(uid).page()).toEqual({ items: [], nextCursor: null });
  });

  it('reads a code, defends a deposit that is reported, and asks for a payout back', async () => {
    const given = await operator.partner(['100.00']);
    const own = new PaymentsClient({ baseUrl: service.url, ...given.credentials });
    const deposit = { payment: { value: { original: '20.00' } }, transaction: { orderId: 'd' }, webhook };
    const { data } = await own.pix.cashIn(deposit);
    expect(await own.pix.decode(data.payment.qrCode)).toMatchObject({ canBePaid: true, amount: '20.00' });
    const { endToEndId } = await own.sandbox.pay({ qrCode: data.payment.qrCode, payer: PAYER });
    const report = { endToEndId, amount: '5.00', reason: 'Scam', details: 'x' };
    await call(service.url, 'POST', '/sandbox/pix/infractions', { body: report });
    const infraction = await eventually(async () => (await own.med.list({ status: 'Open' }).page()).items[0]);
    const defence = { text: 'Delivered', links: ['https://shop.example/invoice'] };
    expect((await own.med.defend(infraction.id, defence)).data).toMatchObject({ status: 'Defended', defence });
    expect((await own.med.get(infraction.id)).status).toBe('Defended');
    const key = { type: 'CPF', value: PAYER.taxNumber } as const;
    const payment = { value: '3.00', key, recipient: { cpf: PAYER.taxNumber } };
    const paid = await own.pix.cashOut({ payment, transaction: { orderId: 'p' }, webhook });
    const { id } = paid.data.transaction;
    await eventually(async () => (await own.transactions.get(id)).transaction.state === 'Completed');
    const asked = await own.med.recover(id, { reason: 'Scam', details: 'It never came.' }, { idempotencyKey: 'back' });
    expect(asked.data).toMatchObject({ transactionId: id, amount: '3.00' });
    expect((await own.med.recoveries().page()).items.map((one) => one.id)).toEqual([asked.data.id]);
    expect((await own.med.recovery(asked.data.id)).details).toBe('It never came.');
  });

  it('reads until when a deposit is blocked that arrived so', async () => {
    const receiving = await operator.partner(['0.00']);
    const own = new PaymentsClient({ baseUrl: service.url, ...receiving.credentials });
    await operator.post(`/partners/${receiving.uid}/cautionary-rules`, {
      name: 'Large deposits',
      amountAbove: '10.00',
      companies: true,
    });
    const hold = await eventually(async () => {
      const { data } = await own.pix.cashIn({
        payment: { value: { original: '20.00' } },
        transaction: { orderId: 'order-41' },
        webhook,
      });
      await own.sandbox.pay({ qrCode: data.payment.qrCode, payer: PAYER });
      // Rules are in force within a second.
      return ((await own.transactions.get(data.transaction.id)).payment as CashInPayment).hold;
    });
    expect(Date.parse(hold.expiresAt)).toBeGreaterThan(Date.now());
    expect((await own.accounts.holds(receiving.accounts[0]!).page()).items.map(({ id }) => id)).toEqual([hold.id]);
  });

  it('shows what commands would do, which changes nothing', async () => {
    const [source, destination] = partner.accounts as [string, string];
    const before = await balanceOf(source);
    const transfer = { refAccountCredit: destination, transferAmount: '10.50', transferDescription: 'Rent' };
    const preview = await client.transfers.previewCreate(transfer);
    expect(preview).toMatchObject({ dryRun: true, replayed: false, charges: '0.00' });
    expect(toCentavos(preview.balance.available)).toBe(before - 1_050n);
    expect(await client.transfers.previewCreate(transfer, { idempotencyKey: 'rent-2026-11' })).toMatchObject({
      replayed: true,
    });
    const items = ['a', 'b'].map((idempotencyKey) => ({ ...transfer, idempotencyKey }));
    const batch = await client.transfers.previewCreateBatch({ items });
    expect(batch.items.map(({ status }) => status)).toEqual([200, 200]);
    const file = await client.payoutFiles.previewUpload(PAYROLL, 'csv');
    expect([file.dryRun, file.lines, file.amount]).toEqual([true, 1, '2.50']);
    await expect(client.transfers.previewCreate({ ...transfer, transferAmount: '9999.00' })).rejects.toMatchObject({
      reason: 'CustomerAccountInsufficientFunds',
    });
    expect(await balanceOf(source)).toBe(before);
  });

  it('pages through a list as one', async () => {
    const destination = partner.accounts[1]!;
    const sent: string[] = [];
    for (let i = 0; i < 3; i++) {
      sent.push((await client.transfers.create({ refAccountCredit: destination, transferAmount: '1.00' })).data.id);
    }
    const listed: string[] = [];
    for await (const { transaction } of client.transactions.list({ type: 'Transfer', limit: 2 })) {
      listed.push(transaction.id);
    }
    expect(listed.slice(0, 3)).toEqual(sent.reverse());
    const { items, nextCursor } = await client.transactions.list({ limit: 2 }).page();
    const next = await client.transactions.list({ limit: 2 }).page(nextCursor!);
    expect([...items, ...next.items].map(({ transaction }) => transaction.id)).toEqual(listed.slice(0, 4));
    const accounts = [];
    for await (const account of client.accounts.list({ limit: 1 })) accounts.push(account.uid);
    expect(accounts).toEqual(partner.accounts);
  });

  it('loses no answer: a command whose answer never came is carried out once, and answered', async () => {
    const lossy = await losingAnswers(service.url, 2);
    const behind = new PaymentsClient({ baseUrl: lossy.url, ...partner.credentials });
    const before = await balanceOf(partner.accounts[1]!);
    const result = await behind.transfers.create({ refAccountCredit: partner.accounts[1]!, transferAmount: '2.00' });
    expect(result.replayed).toBe(true);
    expect((await balanceOf(partner.accounts[1]!)) - before).toBe(200n);
    await lossy.close();
  });

  it('asks for a deposit, sees it paid, verifies the webhook and gives a part back', async () => {
    const deposit = await client.pix.cashIn({
      payment: { value: { original: '12.34' } },
      transaction: { orderId: 'order-1' },
      webhook,
    });
    const { id } = deposit.data.transaction;
    const paid = await client.sandbox.pay({ qrCode: deposit.data.payment.qrCode, payer: PAYER });
    expect(paid.outcome).toBe('Settled');
    const { transaction, payment } = await client.transactions.get(id);
    expect(transaction).toMatchObject({ type: 'CashIn', state: 'Completed', endToEndId: paid.endToEndId });
    expect(payment).toEqual(deposit.data.payment);
    const refund = await client.pix.refund(id, { amount: '2.34', reason: 'Returned goods' });
    expect(refund.data.transaction).toMatchObject({ state: 'Registered', amount: '2.34' });

    const verifier = new WebhookVerifier(partner.webhookSecret);
    const told = await eventually(() => {
      const received = receiver.received.filter(({ body }) => body.includes('"order-1"'));
      return received.length === 2 && received;
    });
    const [completed, back] = await Promise.all(told.map(({ body, headers }) => verifier.verify(body, headers)));
    expect(completed!.notification).toMatchObject({ id, transactionState: 'Completed', transactionAmount: '12.34' });
    expect(completed!.notification.payer!.name).toBe('Ana Lima');
    expect(back!.notification).toMatchObject({ id: refund.data.transaction.id, transactionType: 'Debit' });
    await expect(verifier.verify(`${told[0]!.body} `, told[0]!.headers)).rejects.toMatchObject({
      fault: 'SignatureMismatch',
    });
  });

  it('verifies with either secret while it is rotated', async () => {
    const old = partner.webhookSecret;
    const { webhookSecret } = await operator.post(`/partners/${partner.uid}/webhook-secret/rotate`);
    const { deliveryId } = await client.webhooks.test({ url: webhook.url });
    const sample = await eventually(() =>
      receiver.received.find(({ headers }) => headers['webhook-id'] === deliveryId),
    );
    for (const secrets of [old, webhookSecret, [webhookSecret, old]]) {
      const { id, notification } = await new WebhookVerifier(secrets).verify(sample.body, sample.headers);
      expect([id, notification.transactionOrderId]).toEqual([deliveryId, 'webhook-test']);
    }
  });

  it('pays out, and reads and repeats its delivery', async () => {
    const payout = await client.pix.cashOut({
      payment: {
        value: '5.00',
        key: { type: 'EMAIL', value: 'ana@example.com' },
        recipient: { name: 'Ana Lima', cpf: '52998224725' },
      },
      transaction: { orderId: 'order-2' },
      webhook,
    });
    const { id } = payout.data.transaction;
    const delivery = await eventually(async () => {
      for await (const one of client.webhooks.deliveries({ transactionId: id, status: 'Delivered' })) return one;
      return undefined;
    });
    expect(delivery.attempts.map(({ httpStatus }) => httpStatus)).toEqual([204]);
    expect((await client.webhooks.redeliver(delivery.id)).deliveryId).toBe(delivery.id);
    const { payment } = await client.transactions.get(id);
    expect(payment).toMatchObject({ method: 'Key', recipient: { name: 'Ana Lima' } });
  });

  it('is told of the holds on an account, at the address of the account', async () => {
    const uid = partner.accounts[0]!;
    const { url, since } = await client.webhooks.setForAccount(uid, { url: webhook.url });
    expect(await client.webhooks.ofAccount(uid)).toEqual({ accountUid: uid, url, customHeaderName: null, since });
    const order = { amount: '1.00', cause: 'Judicial', reference: 'R-1' };
    const { id } = await operator.post(`/accounts/${uid}/holds`, order);
    const message = await eventually(() => receiver.received.find(({ body }) => body.includes('hold.placed')));
    const { notification } = await new WebhookVerifier(partner.webhookSecret).verifyAccount(
      message.body,
      message.headers,
    );
    expect(notification).toMatchObject({ type: 'hold.placed', data: { id, accountUid: uid, blocked: '1.00' } });
    await client.webhooks.removeFromAccount(uid);
    await expect(client.webhooks.ofAccount(uid)).rejects.toMatchObject({ status: 404 });
    await operator.post(`/accounts/${uid}/holds/${id}/release`, {});
  });

  it('forces the sandbox, and takes an unpaid deposit back', async () => {
    const request = { payment: { value: { original: '1.00' } }, transaction: { orderId: 'order-3' }, webhook };
    const [one, other] = [await client.pix.cashIn(request), await client.pix.cashIn(request)];
    await client.sandbox.force(one.data.transaction.id, 'fail');
    expect((await client.transactions.get(one.data.transaction.id)).transaction.state).toBe('Error');
    const cancelled = await client.pix.cancelCashIn(other.data.transaction.id);
    expect(cancelled.transaction.state).toBe('Cancelled');
    await expect(client.pix.cancelCashIn(other.data.transaction.id)).rejects.toMatchObject({
      reason: 'TransitionNotAllowed',
    });
  });
});

describe('a refusal is an error of its own class', () => {
  const transfer = (changes: object) =>
    client.transfers.create({ refAccountCredit: partner.accounts[1]!, transferAmount: '1.00', ...changes });
  const thrown = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('of too little money', async () => {
    const error = await thrown(transfer({ transferAmount: '9999.00' }));
    expect(error).toBeInstanceOf(OperationError);
    expect(error).toMatchObject({ status: 422, reason: 'CustomerAccountInsufficientFunds' });
    expect((error as OperationError).requestId).toMatch(/^[\w-]+$/);
  });

  it('of an atomic batch, with the item at fault', async () => {
    const items = ['1.00', '9999.00'].map((transferAmount, i) => ({
      ...{ idempotencyKey: `atomic-${i}`, refAccountCredit: partner.accounts[1]!, transferAmount },
    }));
    const error = (await thrown(client.transfers.createBatch({ mode: 'atomic', items }))) as OperationError;
    expect(error.reason).toBe('NotApplied');
    const reasons = error.batch!.items.map((item) => 'error' in item && item.error.details);
    expect(reasons).toMatchObject([{ reason: 'NotApplied' }, { reason: 'CustomerAccountInsufficientFunds' }]);
  });

  it('of a malformed request, with every fault', async () => {
    const error = await thrown(transfer({ refAccountCredit: '', transferAmount: '1,00' }));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect((error as InvalidInputError).faults.map(({ path }) => path)).toEqual(['refAccountCredit', 'transferAmount']);
  });

  it('of a rule on the input', async () => {
    expect(await thrown(transfer({ transferAmount: '0.00' }))).toMatchObject({
      constructor: InvalidInputError,
      reason: 'TransferAmountMustBeGreaterThanZero',
    });
  });

  it('of what is not there, whatever its name holds', async () => {
    expect(await thrown(client.accounts.get('../login?x=#'))).toMatchObject({
      constructor: EntityNotFoundError,
      details: { parameterName: 'uid', parameterValue: '../login?x=#' },
    });
  });

  it.each(['', '.', '..'])('of %j, which is no identifier, before anything is sent', async (id) => {
    await expect(client.pix.cancelCashIn(id)).rejects.toBeInstanceOf(RangeError);
  });

  it('of wrong credentials, and of a key that may not', async () => {
    const stranger = new PaymentsClient({ baseUrl: service.url, accessKey: 'nobody', secret: 'wrong' });
    expect(await thrown(stranger.transactions.list().page())).toBeInstanceOf(AuthenticationError);
    const key = await operator.post(`/accounts/${partner.accounts[0]}/access-keys`, { permissions: ['accounts:read'] });
    const reader = new PaymentsClient({ baseUrl: service.url, accessKey: key.accessKey, secret: key.secret });
    expect(await reader.accounts.get(partner.accounts[0]!)).toMatchObject({ current: true });
    const refused = reader.transfers.create({ refAccountCredit: partner.accounts[1]!, transferAmount: '1.00' });
    expect(await thrown(refused)).toBeInstanceOf(ForbiddenError);
  });
});

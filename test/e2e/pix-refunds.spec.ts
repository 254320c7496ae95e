import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { PixEdge } from '../support/pix-edge.js';

let edge: PixEdge;
let account: string;
beforeAll(async () => {
  edge = await PixEdge.start();
  account = edge.partner.accounts[0]!;
}, 60_000);
afterAll(async () => {
  await assertLedgerSound(edge.database);
  await edge.stop();
});

const paid = async (original = '10.00') => {
  const { id, qrCode } = await edge.cashIn(original);
  await edge.pay(qrCode);
  await edge.reaches(id, 'Completed');
  return id;
};
const refund = (id: string, body: object = {}, key?: string) =>
  edge.api.post(`/accounts/pix/cashin/${id}/refunds`, body, key === undefined ? undefined : { 'idempotency-key': key });
const refused = (reason: string) => ({
  status: 422,
  body: { error: { name: 'OperationError', code: 'OperationError', details: { reason } } },
});
const outgoing = async (id: string) => {
  const rows = await edge.database.query<{ amount: string }>(
    `select r.amount from sandbox.refund_out r join transaction t on t.end_to_end_id = r.end_to_end_id
     where t.id = $1 and r.status = 'Settled' order by r.amount`,
    [id],
  );
  return rows.map(({ amount }) => Number(amount));
};

describe('a refund of a deposit', () => {
  it('is a transaction of its own, in parts up to the original and no more', async () => {
    const before = Number((await edge.api.balance(account)).available);
    const id = await paid();
    const first = await refund(id, { amount: '4.00', reason: 'Devolução' });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      statusCode: 'Incomplete',
      data: {
        transaction: {
          id: expect.any(String),
          state: 'Registered',
          date: expect.any(String),
          orderId: 'pedido-1',
          amount: '4.00',
          institution: 'Instituicao Exemplo IP S.A.',
          accountNumber: expect.any(String),
          ispb: '12345678',
          type: 'Refund',
          refundOf: id,
        },
      },
    });
    expect(await refund(id, { amount: '6.01' })).toMatchObject(refused('RefundExceedsOriginal'));
    const rest = await refund(id);
    expect(rest.body.data.transaction.amount).toBe('6.00');
    expect(await refund(id)).toMatchObject(refused('RefundExceedsOriginal'));
    for (const { body } of [first, rest]) {
      const transaction = await edge.reaches(body.data.transaction.id, 'Completed');
      expect(transaction).toMatchObject({
        type: 'Refund',
        refundOf: id,
        endToEndId: expect.stringMatching(/^D12345678/),
      });
    }
    expect(await outgoing(id)).toEqual([400, 600]);
    expect(await edge.api.balance(account)).toEqual({ available: before.toFixed(2), held: '0.00', blocked: '0.00' });
    await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Completed' });
  });

  it('twice at once gives back no more than there is', async () => {
    const id = await paid();
    const answers = await Promise.all(Array.from({ length: 6 }, () => refund(id, { amount: '6.00' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
    await eventually(async () => (await outgoing(id)).length > 0);
    expect(await outgoing(id)).toEqual([600]);
  });

  it('repeated with one key is one refund', async () => {
    const id = await paid();
    const answers = await Promise.all(Array.from({ length: 6 }, () => refund(id, {}, 'refund-once')));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(5);
    await edge.reaches(answers[0]!.body.data.transaction.id, 'Completed');
    expect(await outgoing(id)).toEqual([1000]);
    const reused = { status: 409, body: { error: { details: { reason: 'IdempotencyKeyReuse' } } } };
    expect(await refund(id, { amount: '1.00' }, 'refund-once')).toMatchObject(reused);
    expect(await refund('0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e', {}, 'refund-once')).toMatchObject(reused);
  });

  it('needs what it gives back to be available', async () => {
    const other = await new OperatorApi(edge.service.url).partner(['0.00', '0.00']);
    const api = await PartnerApi.login(edge.service.url, other.credentials);
    const created = await api.post('/accounts/pix/cashin', {
      payment: { value: { original: '10.00' } },
      transaction: { orderId: 'a' },
      webhook: { url: 'http://127.0.0.1:65535/hook' },
    });
    await edge.pay(created.body.data.payment.qrCode);
    const { id } = created.body.data.transaction;
    expect((await api.transfer(other.accounts[1]!, '5.01')).status).toBe(201);
    const answer = await api.post(`/accounts/pix/cashin/${id}/refunds`, { amount: '5.00' });
    expect(answer).toMatchObject(refused('CustomerAccountInsufficientFunds'));
    expect((await api.post(`/accounts/pix/cashin/${id}/refunds`, { amount: '4.99' })).status).toBe(201);
  });

  it('is refused for a deposit that was not completed, and for what is no deposit of the account', async () => {
    const { id } = await edge.cashIn('10.00');
    expect(await refund(id)).toMatchObject(refused('TransitionNotAllowed'));
    const payout = await edge.cashOut('1.00');
    expect((await refund(payout)).status).toBe(404);
    expect((await refund('0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e')).status).toBe(404);
  });

  it('has a body that is checked, and need not be there', async () => {
    const whole = await edge.api.post(`/accounts/pix/cashin/${await paid()}/refunds`);
    expect(whole).toMatchObject({ status: 201, body: { data: { transaction: { amount: '10.00' } } } });
    const id = await paid();
    expect((await refund(id, { amount: '1,00' })).body.error.details).toEqual([
      expect.objectContaining({ path: 'amount', code: 'InvalidFormat' }),
    ]);
    expect((await refund(id, { amount: '0.00' })).body.error.details.reason).toBe('PaymentValueMustBeGreaterThanZero');
  });

  it('survives SIGKILL: it is given back once, under one identifier', async () => {
    const id = await paid();
    const created = await refund(id);
    await edge.killAndRestart();
    await edge.reaches(created.body.data.transaction.id, 'Completed', 20_000);
    expect(await outgoing(id)).toEqual([1000]);
  });
});

describe('money sent back after a completed payout', () => {
  it('is a refund that credits the account, once, however often the rail tells of it', async () => {
    await edge.behave({ copies: 3 });
    const before = Number((await edge.api.balance(account)).available);
    const id = await edge.cashOut('10.96');
    const refunds = await eventually(async () => {
      const found = await edge.refundsOf(id);
      return found.length > 0 && found;
    });
    await edge.behave({ copies: 1 });
    expect(refunds).toHaveLength(1);
    expect(refunds[0]).toMatchObject({
      type: 'Refund',
      refundOf: id,
      state: 'Completed',
      amount: '5.48',
      orderId: 'pedido-2',
    });
    expect(Number((await edge.api.balance(account)).available)).toBeCloseTo(before - 10.96 + 5.48, 2);
    const entry = await eventually(async () => {
      const { body } = await edge.api.get(`/accounts/${account}/statement?limit=5`);
      return body.data.items[0]?.kind === 'Refund' && body.data.items[0];
    });
    expect(entry).toMatchObject({ kind: 'Refund', amount: '5.48', transactionId: refunds[0].id });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, partitionOf } from '../../src/event-store/index.js';
import { encodeDynamicBrCode } from '../../src/pix/domain/values/br-code.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { codeOfOurKey } from '../support/code-of-our-key.js';
import { eventually } from '../support/eventually.js';
import { PixEdge } from '../support/pix-edge.js';
import { tellEvents } from '../support/told-events.js';

const OTHER = { ispb: '11111111', branch: '0001', number: '11111111' };
const RIGHT = { ispb: '99999008', branch: '0001', number: '12345678' };

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

const available = async () => Number((await edge.api.balance(account)).available);
/** What the rail returned, by the returned payment. */
const givenBack = async (endToEndId: string) =>
  eventually(async () => {
    const rows = await edge.database.query<{ amount: string }>(
      `select amount from sandbox.refund_out where end_to_end_id = $1 and status = 'Settled'`,
      [endToEndId],
    );
    return rows.length > 0 && rows.map(({ amount }) => Number(amount));
  });

describe('the payer of a deposit', () => {
  it.each([
    ['from the right account', { account: { ispb: '99999008', branch: '0001', number: '1234567', digit: '8' } }],
    ['from the second of three validation accounts', { validationAccounts: [OTHER, RIGHT, OTHER] }],
    ['with the right tax number', { cpf: '529.982.247-25' }],
  ])('who pays %s is taken', async (_what, payer) => {
    const before = await available();
    const { id, qrCode } = await edge.cashIn('7.00', { payer });
    expect((await edge.pay(qrCode)).body.data.outcome).toBe('Settled');
    await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Completed' });
    expect(await available()).toBeCloseTo(before + 7, 2);
  });

  it.each([
    ['from none of the validation accounts', { validationAccounts: [OTHER, OTHER] }, undefined, 'PayerAccountMismatch'],
    [
      'with another tax number',
      { cpf: '11144477735', validationAccounts: [OTHER] },
      undefined,
      'PayerTaxNumberMismatch',
    ],
    ['another amount', { cpf: '11144477735' }, '7.01', 'AmountMismatch'],
  ])('who pays %s gets it back; the reason is kept', async (_what, payer, amount, reason) => {
    const before = await available();
    const { id, qrCode } = await edge.cashIn('7.00', { payer });
    const { outcome, endToEndId } = (await edge.pay(qrCode, {}, amount)).body.data;
    expect(outcome).toBe('Returned');
    await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Error', errorReason: reason, endToEndId });
    expect(await givenBack(endToEndId)).toEqual([amount ? 701 : 700]);
    expect(await available()).toBeCloseTo(before, 2);
  });

  it('gets it back from an account that has become inactive', async () => {
    const operator = new OperatorApi(edge.service.url);
    const other = await operator.partner(['1.00']);
    const api = await PartnerApi.login(edge.service.url, other.credentials);
    const body = {
      payment: { value: { original: '7.00' } },
      transaction: { orderId: 'a' },
      webhook: { url: 'http://127.0.0.1:65535/hook' },
    };
    const created = await api.post('/accounts/pix/cashin', body);
    await operator.post(`/accounts/${other.accounts[0]}/deactivate`, { reason: 'Teste' });
    const { outcome, endToEndId } = (await edge.pay(created.body.data.payment.qrCode)).body.data;
    expect(outcome).toBe('Returned');
    const read = await api.get(`/accounts/transactions/${created.body.data.transaction.id}`);
    expect(read.body.data.transaction).toMatchObject({ state: 'Error', errorReason: 'AccountIsNotActive' });
    expect(await givenBack(endToEndId)).toEqual([700]);
  });
});

describe('a deposit that is not paid', () => {
  it('is cancelled when it expires; a later payment is returned and changes nothing', async () => {
    const before = await available();
    const { id, qrCode } = await edge.cashIn('7.00', { expiresIn: 1 });
    await expect(edge.reaches(id, 'Cancelled')).resolves.toMatchObject({ errorReason: 'Expired' });
    const { outcome, endToEndId } = (await edge.pay(qrCode)).body.data;
    expect(outcome).toBe('Returned');
    expect(await givenBack(endToEndId)).toEqual([700]);
    await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Cancelled' });
    expect(await available()).toBeCloseTo(before, 2);
  });

  it('can be cancelled by its partner, once', async () => {
    const { id, qrCode } = await edge.cashIn('7.00');
    const cancelled = await edge.api.post(`/accounts/pix/cashin/${id}/cancel`);
    expect(cancelled.status).toBe(200);
    const { transaction, payment } = (await edge.api.get(`/accounts/transactions/${id}`)).body.data;
    expect(cancelled.body).toMatchObject({ statusCode: 'Done', data: { transaction, payment } });
    expect(cancelled.body.data.transaction).toMatchObject({ state: 'Cancelled', errorReason: 'CancelledByPartner' });
    const again = await edge.api.post(`/accounts/pix/cashin/${id}/cancel`);
    expect(again).toMatchObject({
      status: 422,
      body: { error: { name: 'OperationError', details: { reason: 'TransitionNotAllowed', state: 'Cancelled' } } },
    });
    expect((await edge.pay(qrCode)).body.data.outcome).toBe('Returned');
  });

  it('cannot be cancelled once it is paid, even where the notification of the payment was lost', async () => {
    const before = await available();
    const { id, qrCode } = await edge.cashIn('7.00');
    await edge.behave({ notifications: 'drop' });
    await edge.pay(qrCode);
    await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Registered' });
    const answer = await edge.api.post(`/accounts/pix/cashin/${id}/cancel`);
    await edge.behave({ notifications: 'deliver' });
    expect(answer).toMatchObject({ status: 422, body: { error: { details: { state: 'Completed' } } } });
    expect(await available()).toBeCloseTo(before + 7, 2);
  });

  it('is somebody’s own: another account, and no account, cannot cancel it', async () => {
    const { id } = await edge.cashIn('7.00');
    const other = await new OperatorApi(edge.service.url).partner(['1.00']);
    const api = await PartnerApi.login(edge.service.url, other.credentials);
    for (const who of [id, 'nothing-of-the-kind']) {
      const answer = await api.post(`/accounts/pix/cashin/${who}/cancel`);
      expect(answer).toMatchObject({ status: 404, body: { error: { details: { entityName: 'TransactionEntity' } } } });
    }
    await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Registered' });
  });
});

describe('payments whose every notification is lost', () => {
  it('are credited by the sweep after a restart, each once, and those that do not fit go back', async () => {
    const before = await available();
    const deposits = await Promise.all(['1.00', '2.00', '3.00'].map((original) => edge.cashIn(original)));
    const late = await edge.cashIn('4.00');
    await edge.api.post(`/accounts/pix/cashin/${late.id}/cancel`);
    await edge.behave({ notifications: 'drop' });
    for (const { qrCode } of deposits) await edge.pay(qrCode);
    const second = await edge.pay(deposits[0]!.qrCode);
    const tooLate = await edge.pay(late.qrCode);
    expect(await available()).toBeCloseTo(before, 2);
    await edge.killAndRestart();
    for (const { id } of deposits) await edge.reaches(id, 'Completed');
    expect(await givenBack(second.body.data.endToEndId)).toEqual([100]);
    expect(await givenBack(tooLate.body.data.endToEndId)).toEqual([400]);
    await edge.killAndRestart();
    await edge.behave({ notifications: 'deliver' });
    const probe = await edge.cashIn('5.00');
    await edge.pay(probe.qrCode);
    await edge.reaches(probe.id, 'Completed');
    expect(await available()).toBeCloseTo(before + 6 + 5, 2);
    await tellEvents(edge.database);
    const payments = await edge.database.query<{ id: string }>(`
      select data->'payment'->>'endToEndId' as id from told.event
      where type in ('CashInCompleted', 'CashInErrored', 'CashInPaymentReturned') and data->'payment' is not null`);
    expect(new Set(payments.map(({ id }) => id)).size).toBe(payments.length);
  }, 60_000);
});

describe('the sweep', () => {
  it('is due again within a minute, for whichever process is there', async () => {
    await eventually(async () => {
      const [row] = await edge.database.query<{ due: boolean }>(
        `select due_at between now() and now() + interval '1 minute' as due from work where kind = 'pix-sweep'`,
      );
      return row!.due;
    });
  });
});

describe('an unmatched payment', () => {
  let endToEndId: string;
  const unmatched = (identifier: string) =>
    edge.database.query<{ data: any }>(
      `select data from event where type = 'UnmatchedPaymentReceived' and data->'payment'->>'endToEndId' = $1`,
      [identifier],
    );

  it('is returned where its charge is one of ours that was never registered', async () => {
    const known = await edge.cashIn('6.00');
    const txid = txidOf(newId(partitionOf(known.id)!, Date.now() - 120_000));
    const location = `pix.exemplo.br/pix/payload/${txid}`;
    await edge.database.query(
      `insert into sandbox.charge (txid, location, amount, expires_at, status) values ($1, $2, 600, now() + interval '1 h', 'Open')`,
      [txid, location],
    );
    const code = encodeDynamicBrCode({ location, merchantName: 'Loja', merchantCity: 'SAO PAULO', amount: 600n });
    const { outcome, endToEndId } = (await edge.pay(code)).body.data;
    expect(outcome).toBe('Returned');
    expect(await givenBack(endToEndId)).toEqual([600]);
    expect((await unmatched(endToEndId))[0]!.data).toMatchObject({
      txid,
      returnId: expect.stringMatching(/^D12345678/),
    });
    const metrics = (await edge.get('/metrics')).body as string;
    expect(metrics).toMatch(/^pix_unmatched_payments_total\{kind="Payment"\} 1$/m);
    expect(metrics).toMatch(/^pix_rail_calls_total\{operation="refund",outcome="Settled"\} \d+$/m);
  });

  it('is found by the reconciliation of its day, whose two sides agree otherwise', async () => {
    const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date());
    const operator = new OperatorApi(edge.service.url);
    const reconciled = await eventually(async () => {
      const data = await operator.get(`/reconciliation?date=${date}`);
      return data.matches && data;
    });
    expect(reconciled).toMatchObject({ date, mismatched: 0, mismatches: [] });
    expect(reconciled.rail).toEqual(reconciled.ledger);
    expect(reconciled.rail.PaymentIn.count).toBeGreaterThan(5);
    await edge.behave({ notifications: 'drop' });
    endToEndId = (await edge.pay(codeOfOurKey('123.45'))).body.data.endToEndId;
    const wrong = await operator.get(`/reconciliation?date=${date}`);
    expect(wrong).toMatchObject({
      matches: false,
      mismatched: 1,
      mismatches: [{ kind: 'PaymentIn', id: endToEndId, rail: '123.45', ledger: null, transactionId: null }],
    });
  });

  it('is kept and alarmed where it names no charge of ours', async () => {
    await edge.killAndRestart();
    const [kept] = await eventually(async () => {
      const found = await unmatched(endToEndId);
      return found.length > 0 && found;
    });
    expect(kept!.data).toMatchObject({ txid: null, payment: { amount: '12345' } });
    expect(kept!.data).not.toHaveProperty('returnId');
    await eventually(() => edge.service.output().includes('an unmatched payment came in'));
  }, 30_000);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import type { Receipt } from '../support/partner-receiver.js';
import { payoutCsv, PayoutFiles } from '../support/payout-files.js';
import { ADMIN_TOKEN } from '../support/service.js';
import { WebhookWorld } from '../support/webhook-world.js';

/** What happens to an account is told at the address that its partner registered for it. */

const JUDICIAL = { cause: 'Judicial', reference: '0001234-56.2026.8.26.0100' };
const destination = { kind: 'JudicialTransfer', reference: 'ID 072026000012345678' };

let world: WebhookWorld;
let uid: string;

beforeAll(async () => {
  world = await WebhookWorld.start();
  uid = world.partner.accounts[0]!;
}, 60_000);

afterAll(async () => {
  if (world) await assertLedgerSound(world.database);
  await world?.stop();
});

const webhook = (method: string, body?: object, account = uid) =>
  call(world.service.url, method, `/partners-int/accounts/${account}/webhook`, { token: world.session.token, body });
const hold = (amount: string, more: object = {}, path = '') => {
  const body = path === '' ? { amount, ...JUDICIAL, ...more } : { amount, ...more };
  return world.operator.post(`/accounts/${uid}/holds${path}`, body);
};
const credit = (amount: string) => world.operator.post(`/accounts/${uid}/credits`, { amount, reason: 'Teste' });
const told = (receipts: readonly Receipt[]) => receipts.map(({ body }) => JSON.parse(body));

describe('the address of an account', () => {
  it('is registered, read and removed by its partner; its header is checked and never shown', async () => {
    expect((await webhook('GET')).status).toBe(404);
    const url = world.receiver.url('/first');
    const set = await webhook('PUT', { url, customHeaderName: 'X-Source', customHeaderValue: 'the value' });
    const shown = { accountUid: uid, url, customHeaderName: 'X-Source', since: expect.any(String) };
    expect([set.status, set.body]).toEqual([200, { statusCode: 'Done', data: shown }]);
    expect((await webhook('GET')).body.data).toEqual(set.body.data);
    expect((await webhook('DELETE')).body).toEqual({ statusCode: 'Done', data: { removed: true } });
    expect((await webhook('GET')).body.error).toMatchObject({
      name: 'EntityNotFound',
      details: { entityName: 'AccountWebhookEntity', parameterName: 'accountUid', parameterValue: uid },
    });
    expect((await webhook('DELETE')).status).toBe(200);
    const events = await world.database.query<{ type: string; data: any }>(
      `select type, data from event where type like 'AccountWebhook%' order by position`,
    );
    expect(events.map(({ type }) => type)).toEqual(['AccountWebhookSet', 'AccountWebhookRemoved']);
    expect(JSON.stringify(events)).not.toContain('the value');
  });

  it('is checked as the address of a cash-out is, all faults at once', async () => {
    const { status, body } = await webhook('PUT', { url: 'ftp://10.0.0.1/x', customHeaderName: 'Host' });
    expect([status, body.error.name]).toEqual([400, 'InvalidInputError']);
    expect(body.error.details.map(({ path, code }: any) => [path, code])).toEqual([
      ['url', expect.any(String)],
      ['customHeaderName', 'NotAllowed'],
      ['customHeaderValue', 'Required'],
    ]);
  });

  it('of another partner, or of none, is not found', async () => {
    const other = await world.operator.partner(['0.00']);
    const stranger = await PartnerApi.login(world.service.url, other.credentials);
    await webhook('PUT', { url: world.receiver.url('/mine') });
    for (const [method, body] of [['PUT', { url: world.receiver.url('/theirs') }], ['GET'], ['DELETE']] as const) {
      const path = `/partners-int/accounts/${uid}/webhook`;
      const answer = await call(world.service.url, method, path, { token: stranger.token, body });
      expect([answer.status, answer.body.error.details.entityName]).toEqual([404, 'CustomerAccountEntity']);
    }
    expect((await webhook('GET')).body.data.url).toBe(world.receiver.url('/mine'));
    expect((await webhook('GET', undefined, 'none')).status).toBe(404);
  });

  it('is any account of the partner, and needs the permission', async () => {
    const owner = { name: 'Conta 2', taxNumber: world.partner.taxNumber };
    const { uid: more } = await world.operator.post(`/partners/${world.partner.uid}/accounts`, owner);
    expect((await webhook('PUT', { url: world.receiver.url('/second') }, more)).status).toBe(200);
    expect((await webhook('GET', undefined, more)).body.data.accountUid).toBe(more);
    const key = await world.operator.post(`/accounts/${uid}/access-keys`, { permissions: ['accounts:read'] });
    const reader = await PartnerApi.login(world.service.url, key);
    const path = `/partners-int/accounts/${uid}/webhook`;
    expect((await call(world.service.url, 'GET', path, { token: reader.token })).status).toBe(403);
  });
});

describe('a hold', () => {
  let id: string;

  it('is told step by step, in order, as the partner reads it: signed, with the header', async () => {
    const url = world.receiver.url('/holds');
    await webhook('PUT', { url, customHeaderName: 'X-Source', customHeaderValue: 'the value' });
    const placed = await hold('150.00', { retryUntil: '2100-01-01T00:00:00.000Z', note: 'Kept to ourselves' });
    id = placed.id;
    await credit('20.00');
    await hold('5.00', {}, `/${id}/release`);
    await hold('115.00', { destination }, `/${id}/execute`);
    const receipts = await world.receiver.arrived('/holds', 4);
    expect(receipts.every(({ verifiedBy, headers }) => verifiedBy === 0 && headers['x-source'] === 'the value')).toBe(
      true,
    );
    const filled = { ...placed, blocked: '120.00' };
    const released = { ...filled, blocked: '115.00', released: '5.00' };
    const executed = { ...released, blocked: '0.00', executed: '115.00' };
    expect(told(receipts)).toEqual([
      { type: 'hold.placed', timestamp: placed.placedAt, data: { accountUid: uid, ...placed } },
      { type: 'hold.filled', timestamp: expect.any(String), data: { accountUid: uid, ...filled } },
      { type: 'hold.released', timestamp: expect.any(String), data: { accountUid: uid, ...released } },
      { type: 'hold.executed', timestamp: expect.any(String), data: { accountUid: uid, ...executed } },
    ]);
    expect(Object.keys(told(receipts)[0])).toEqual(['type', 'timestamp', 'data']);
    expect(JSON.stringify(receipts)).not.toContain('Kept to ourselves');
  });

  it('stands in the delivery log by its type, and is sent again as it was', async () => {
    const [receipt] = world.receiver.at('/holds');
    const shown = await world.inStatus(receipt!.id, 'Delivered');
    expect(shown).toMatchObject({ transactionId: null, transactionState: null, type: 'hold.placed' });
    const { status } = await world.session.post(`/webhooks/deliveries/${receipt!.id}/redeliver`);
    expect(status).toBe(202);
    const again = (await world.receiver.arrived('/holds', 5)).at(-1)!;
    expect([again.id, again.body, again.verifiedBy]).toEqual([receipt!.id, receipt!.body, 0]);
    const { body } = await call(world.service.url, 'GET', `/admin/accounts/${uid}/webhooks/deliveries`, {
      token: ADMIN_TOKEN,
    });
    expect(body.data.items.map(({ type }: any) => type)).toEqual([
      'hold.executed',
      'hold.released',
      'hold.filled',
      'hold.placed',
    ]);
  });

  it('waits for the step before it, and for no step of another hold', async () => {
    world.receiver.behave('/order', '500');
    await webhook('PUT', { url: world.receiver.url('/order') });
    await credit('50.00');
    const one = await hold('1.00');
    await hold('1.00', {}, `/${one.id}/release`);
    await world.receiver.arrived('/order', 1);
    const two = await hold('2.00');
    await eventually(() => told(world.receiver.at('/order')).some(({ data }) => data.id === two.id));
    expect(told(world.receiver.at('/order')).some(({ type }) => type === 'hold.released')).toBe(false);
    world.receiver.behave('/order', '200');
    await eventually(() => told(world.receiver.at('/order')).some(({ type }) => type === 'hold.released'));
  });

  it('goes to the address of its moment: a new one is told what follows, and a removal ends it', async () => {
    await webhook('PUT', { url: world.receiver.url('/old') });
    const one = await hold('1.00');
    await webhook('PUT', { url: world.receiver.url('/new') });
    await hold('1.00', {}, `/${one.id}/release`);
    await webhook('DELETE');
    const untold = await hold('1.00');
    await webhook('PUT', { url: world.receiver.url('/last') });
    await hold('1.00', {}, `/${untold.id}/release`);
    await world.receiver.arrived('/last', 1);
    const types = (path: string) => told(world.receiver.at(path)).map(({ type, data }) => [type, data.id]);
    expect(types('/old')).toEqual([['hold.placed', one.id]]);
    expect(types('/new')).toEqual([['hold.released', one.id]]);
    expect(types('/last')).toEqual([['hold.released', untold.id]]);
  });

  it('is not told of an account without an address', async () => {
    await webhook('DELETE');
    const count = async () => (await world.database.query('select from webhook_delivery')).length;
    const before = await count();
    await hold('1.00');
    await world.inStatus(await world.send('/after'), 'Delivered');
    expect(await count()).toBe(before + 1);
  });
});

describe('a file of payouts', () => {
  it('is told once, when nothing more of it is requested; its lines have their own addresses', async () => {
    const partner = await world.operator.partner(['5.00']);
    const [accountUid] = partner.accounts as [string];
    const api = await PartnerApi.login(world.service.url, partner.credentials);
    world.receiver.trust([partner.webhookSecret]);
    const body = { url: world.receiver.url('/files') };
    const path = `/partners-int/accounts/${accountUid}/webhook`;
    expect((await call(world.service.url, 'PUT', path, { token: api.token, body })).status).toBe(200);
    const files = new PayoutFiles(world.service.url, api.token);
    const line = (orderId: string, value: string) => ({
      payment: { value, key: { type: 'EMAIL', value: 'ana@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId },
      ...(orderId === 'a' && { webhook: { url: world.receiver.url('/line') } }),
    });
    const lines = [line('a', '2.00'), line('b', '9.00'), line('c', '3.00')]
      .map((one) => JSON.stringify(one))
      .join('\n');
    const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': 'salaries' };
    const { id } = (await files.upload(lines, headers)).body.data;
    await files.ended(id);
    const receipts = await world.receiver.arrived('/files', 1);
    expect(told(receipts)).toEqual([
      {
        type: 'payout-file.completed',
        timestamp: expect.any(String),
        data: {
          accountUid,
          id,
          state: 'Completed',
          lines: 3,
          registered: 2,
          registeredAmount: '5.00',
          refused: 1,
          refusedAmount: '9.00',
          cancelled: 0,
        },
      },
    ]);
    // The same file under its key is told of once; a cancelled one, with what was not begun, is told too.
    expect((await files.upload(lines, headers)).body.data.id).toBe(id);
    await world.operator.post(`/accounts/${accountUid}/credits`, { amount: '900.00', reason: 'Teste' });
    const long = (await files.upload(payoutCsv(20_000, 'long', '0.01'))).body.data.id;
    expect((await files.cancel(long)).status).toBe(200);
    const { counts } = await files.ended(long);
    const [, cancelled] = told(await world.receiver.arrived('/files', 2));
    expect(cancelled).toMatchObject({
      type: 'payout-file.completed',
      data: { id: long, state: 'Cancelled', lines: 20_000, refused: 0, cancelled: counts.cancelled },
    });
    expect(cancelled.data.registered + cancelled.data.cancelled).toBe(20_000);
    expect(cancelled.data.cancelled).toBeGreaterThan(0);
    const payments = told(await world.receiver.arrived('/line', 1));
    expect(payments.map(({ transactionState }) => transactionState)).toEqual(['Completed']);
    expect(world.receiver.at('/files').map(({ verifiedBy }) => verifiedBy)).toEqual([0, 0]);
  }, 30_000);
});

describe('a transfer for later', () => {
  it('is told to its sender when it was made, and when it could not be; no other transfer is', async () => {
    const partner = await world.operator.partner(['10.00', '0.00']);
    const [accountUid, refAccountCredit] = partner.accounts as [string, string];
    const api = await PartnerApi.login(world.service.url, partner.credentials);
    world.receiver.trust([world.partner.webhookSecret, partner.webhookSecret]);
    const setAddress = async (uid: string, path: string) => {
      const body = { url: world.receiver.url(path) };
      const { token } = api;
      const set = await call(world.service.url, 'PUT', `/partners-int/accounts/${uid}/webhook`, { token, body });
      expect(set.status).toBe(200);
    };
    await setAddress(accountUid, '/sends');
    await setAddress(refAccountCredit, '/receives');
    const scheduled = async (transferAmount: string) => {
      const scheduledFor = new Date(Date.now() + 1_500).toISOString();
      const body = { refAccountCredit, transferAmount, transferDescription: 'Rent', scheduledFor };
      return (await api.post('/accounts/transfer', body)).body.data.id;
    };
    await api.transfer(refAccountCredit, '0.50');
    expect((await api.post(`/accounts/transactions/${await scheduled('1.00')}/cancel`)).status).toBe(200);
    const settled = await scheduled('2.00');
    await world.receiver.arrived('/sends', 1);
    const refused = await scheduled('50.00');
    const receipts = await world.receiver.arrived('/sends', 2);
    expect(receipts.map(({ verifiedBy }) => verifiedBy)).toEqual([1, 1]);
    const timestamp = expect.any(String);
    const made = { accountUid, refAccountCredit, id: settled, amount: '2.00' };
    const errorReason = 'CustomerAccountInsufficientFunds';
    expect(told(receipts)).toEqual([
      { type: 'transfer.settled', timestamp, data: made },
      { type: 'transfer.refused', timestamp, data: { ...made, id: refused, amount: '50.00', errorReason } },
    ]);
    expect(world.receiver.at('/receives')).toEqual([]);
  });
});

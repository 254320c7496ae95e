import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { available, DAY, inState, LaterWorld, MINUTE, read, waiting } from '../support/later-world.js';
import { runLedger } from '../support/ledger-cli.js';
import { alike } from '../support/payout-limits.js';

let world: LaterWorld;
beforeAll(async () => (world = await LaterWorld.start()), 60_000);
afterAll(() => world?.stop());

const transfer = (api: PartnerApi, to: string, changes: object = {}, key?: string) =>
  api.post(
    '/accounts/transfer',
    {
      refAccountCredit: to,
      transferAmount: '10.50',
      transferDescription: 'Rent',
      scheduledFor: world.inMs(DAY),
      ...changes,
    },
    key ? { 'idempotency-key': key } : {},
  );

describe('a transfer for later', () => {
  it('holds nothing, shows in the list, and is made once at its time', async () => {
    const partner = await world.operator.partner(['100.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    let api = await world.login(partner);
    const scheduledFor = world.inMs(DAY);
    const first = await transfer(api, to, { scheduledFor }, 'rent');
    const again = await transfer(api, to, { scheduledFor }, 'rent');
    expect([first.status, first.body]).toEqual([
      201,
      { statusCode: 'Incomplete', data: { id: first.body.data.id, scheduledFor, state: 'Scheduled' } },
    ]);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true']);
    const { id } = first.body.data;
    expect(await api.balance(from)).toEqual({ available: '100.00', held: '0.00', blocked: '0.00' });
    expect(await waiting(api)).toEqual([id]);
    const { transaction } = await read(api, id);
    expect(transaction).toMatchObject({ state: 'Scheduled', scheduledFor, amount: '-10.50', orderDescription: 'Rent' });
    expect(transaction).not.toHaveProperty('timerId');

    await world.clock.advance(DAY + MINUTE);
    api = await world.login(partner);
    const done = await inState(api, id, 'Completed');
    expect(Object.keys(done.stateDates)).toEqual(['Scheduled', 'Completed']);
    expect([await available(api, from), await available(api, to)]).toEqual(['89.50', '10.50']);
    expect(await waiting(api)).toEqual([]);
    await eventually(async () => {
      const { items } = (await api.get(`/accounts/${from}/statement`)).body.data;
      return items[0].transactionId === id && items[0].amount === '-10.50' && items[0].description === 'Rent';
    });
  });

  it('is decided by the funds and the rules of its time', async () => {
    const partner = await world.operator.partner(['5.00', '0.00', '0.00']);
    const [from, to, closed] = partner.accounts as [string, string, string];
    let api = await world.login(partner);
    const poor = (await transfer(api, to)).body.data.id;
    const rich = (await transfer(api, closed, { transferAmount: '1.00' })).body.data.id;
    await world.operator.post(`/accounts/${closed}/deactivate`, { reason: 'test' });
    await world.clock.advance(DAY + MINUTE);
    api = await world.login(partner);
    expect(await inState(api, poor, 'Error')).toMatchObject({ errorReason: 'CustomerAccountInsufficientFunds' });
    expect(await inState(api, rich, 'Error')).toMatchObject({ errorReason: 'DestinationAccountIsNotActive' });
    expect(await available(api, from)).toBe('5.00');
  });

  it('waits for funds as long as it was told', async () => {
    const partner = await world.operator.partner(['5.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    let api = await world.login(partner);
    const patient = (await transfer(api, to, { retryUntil: world.inMs(3 * DAY) })).body.data;
    const short = (await transfer(api, to, { transferAmount: '50.00', retryUntil: world.inMs(2 * DAY) })).body.data;
    expect(patient).toMatchObject({ state: 'Scheduled', retryUntil: expect.stringMatching(/Z$/) });
    await world.clock.advance(DAY + MINUTE);
    api = await world.login(partner);
    await eventually(async () => {
      const rows = await world.database.query(
        `select attempts from work where kind = 'scheduled-run' and due_at > $1`,
        [world.clock.now()],
      );
      return rows.length === 2;
    });
    expect(await waiting(api)).toHaveLength(2);
    await world.operator.post(`/accounts/${from}/credits`, { amount: '20.00', reason: 'test' });
    await world.clock.advance(2 * MINUTE);
    await inState(api, patient.id, 'Completed');
    await world.clock.advance(DAY);
    api = await world.login(partner);
    expect(await inState(api, short.id, 'Error')).toMatchObject({ errorReason: 'CustomerAccountInsufficientFunds' });
    expect(await available(api, from)).toBe('14.50');
  });

  it.each([
    ['the past', () => ({ scheduledFor: '2020-01-04' }), 'ScheduledForNotAllowed'],
    ['more than a year', () => ({ scheduledFor: world.inMs(367 * DAY) }), 'ScheduledForNotAllowed'],
    ['funds until before', () => ({ retryUntil: world.inMs(DAY - MINUTE) }), 'RetryUntilNotAllowed'],
    ['funds for too long', () => ({ retryUntil: world.inMs(32 * DAY) }), 'RetryUntilNotAllowed'],
  ])('is not for %s', async (_name, changes, reason) => {
    const partner = await world.operator.partner(['5.00', '0.00']);
    const { status, body } = await transfer(await world.login(partner), partner.accounts[1]!, changes());
    expect([status, body.error.name, body.error.details.reason]).toEqual([400, 'InvalidInputError', reason]);
  });

  it('has its shape, and what cannot become right, refused at once', async () => {
    const partner = await world.operator.partner(['5.00', '0.00']);
    const api = await world.login(partner);
    const bad = await transfer(api, partner.accounts[1]!, { scheduledFor: '2027-02-30', retryUntil: 7 });
    expect(bad.body.error.details.map(({ path, code }: any) => `${path} ${code}`)).toEqual([
      'scheduledFor InvalidFormat',
      'retryUntil InvalidType',
    ]);
    const alone = await transfer(api, partner.accounts[1]!, { scheduledFor: undefined, retryUntil: world.inMs(DAY) });
    expect(alone.body.error.details).toMatchObject([{ path: 'retryUntil', code: 'NotAllowed' }]);
    expect((await transfer(api, 'nobody')).status).toBe(404);
    const same = await transfer(api, partner.accounts[0]!);
    expect(same.body.error.details.reason ?? same.body.error.details.entityName).toBe(
      'TransferToSameAccountNotAllowed',
    );
  });

  it('on a date runs at six in São Paulo', async () => {
    const partner = await world.operator.partner(['5.00', '0.00']);
    const api = await world.login(partner);
    const day = world.inMs(3 * DAY).slice(0, 10);
    const { scheduledFor } = (await transfer(api, partner.accounts[1]!, { scheduledFor: day })).body.data;
    expect(scheduledFor).toBe(`${day}T09:00:00.000Z`);
    const local = await transfer(api, partner.accounts[1]!, { scheduledFor: `${day}T23:30` });
    expect(local.body.data.scheduledFor).toBe(new Date(`${day}T23:30:00-03:00`).toISOString());
  });
});

describe('what waits', () => {
  it('is cancelled until its time, by whoever may make it', async () => {
    const partner = await world.operator.partner(['50.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    let api = await world.login(partner);
    const { id } = (await transfer(api, to)).body.data;
    const credentials = await world.operator.post(`/accounts/${from}/access-keys`, { permissions: ['pix:cashout'] });
    const reader = await world.login({ credentials });
    expect((await reader.post(`/accounts/transactions/${id}/cancel`)).status).toBe(403);
    const other = await world.login(await world.operator.partner(['0.00']));
    expect((await other.post(`/accounts/transactions/${id}/cancel`)).status).toBe(404);
    const payee = await world.login({ credentials: await world.operator.post(`/accounts/${to}/access-keys`, {}) });
    expect((await read(payee, id)).transaction.state).toBe('Scheduled');
    expect((await payee.post(`/accounts/transactions/${id}/cancel`)).status).toBe(404);
    expect(await waiting(api)).toEqual([id]);
    const cancelled = await api.post(`/accounts/transactions/${id}/cancel`);
    expect([cancelled.status, cancelled.body.data.transaction.state]).toEqual([200, 'Cancelled']);
    const again = await api.post(`/accounts/transactions/${id}/cancel`);
    expect([again.status, again.body.error.details.reason]).toEqual([422, 'TransitionNotAllowed']);
    const now = (await api.transfer(to, '1.00')).body.data.id;
    expect((await api.post(`/accounts/transactions/${now}/cancel`)).status).toBe(422);
    expect(await waiting(api)).toEqual([]);
    await eventually(
      async () => (await world.database.query(`select from work where subject = $1`, [id])).length === 0,
    );
    await world.clock.advance(DAY + MINUTE);
    api = await world.login(partner);
    expect(await available(api, from)).toBe('49.00');
  });

  it('is either cancelled or made, when both come at once', async () => {
    const partner = await world.operator.partner(['500.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    const api = await world.login(partner);
    const scheduledFor = world.inMs(5_000);
    const items = Array.from({ length: 40 }, (_, n) => ({
      ...{ idempotencyKey: `race-${n}`, refAccountCredit: to, transferAmount: '1.00', scheduledFor },
    }));
    const made = (await api.post('/accounts/transfers/batch', { items })).body.data.items;
    const ids: string[] = made.map(({ data }: any) => data.id);
    await eventually(async () => world.clock.now() >= new Date(scheduledFor));
    const answers = await Promise.all(ids.map((id) => api.post(`/accounts/transactions/${id}/cancel`)));
    const ends = await Promise.all(
      ids.map((id) =>
        eventually(async () => {
          const { state } = (await read(api, id)).transaction;
          return state !== 'Scheduled' && state;
        }),
      ),
    );
    ends.forEach((state, i) => expect(state).toBe(answers[i]!.status === 200 ? 'Cancelled' : 'Completed'));
    const paid = ends.filter((state) => state === 'Completed').length;
    expect(await available(api, from)).toBe(`${500 - paid}.00`);
  });
});

describe('a payout for later', () => {
  it('is registered, paid and told at its time', async () => {
    const partner = await world.operator.partner(['100.00', '0.00']);
    const [from] = partner.accounts as [string];
    let api = await world.login(partner);
    const webhook = { url: world.receiver.url('/later'), customHeaderName: 'x-key', customHeaderValue: 'a secret' };
    const { status, body } = await world.payout(api, {}, { webhook });
    expect([status, body.statusCode, body.data.transaction.state]).toEqual([201, 'Incomplete', 'Scheduled']);
    const { id } = body.data.transaction;
    expect(await api.balance(from)).toEqual({ available: '100.00', held: '0.00', blocked: '0.00' });
    const before = await read(api, id);
    expect(before.transaction).toMatchObject({
      endToEndId: null,
      charges: '0.00',
      scheduledFor: body.data.scheduledFor,
    });
    expect(before.payment.key).toEqual({ type: 'EMAIL', value: 'maria@example.com' });
    await world.clock.advance(DAY + MINUTE);
    api = await world.login(partner);
    const done = await inState(api, id, 'Completed');
    expect(Object.keys(done.stateDates)).toEqual(['Scheduled', 'Registered', 'Completed']);
    expect(done.endToEndId).toMatch(/^E/);
    expect(await api.balance(from)).toEqual({ available: '93.00', held: '0.00', blocked: '0.00' });
    const told = await world.receiver.arrived('/later', 2);
    expect(told.map(({ body: text }) => JSON.parse(text).transactionState)).toEqual(['Registered', 'Completed']);
  });

  it('ends with the reason where it cannot be made, and may be cancelled before', async () => {
    const partner = await world.operator.partner(['5.00', '0.00']);
    let api = await world.login(partner);
    const poor = (await world.payout(api, { orderId: 'poor' })).body.data.transaction.id;
    const taken = (await world.payout(api, { orderId: 'taken' })).body.data.transaction.id;
    const cancelled = await api.post(`/accounts/transactions/${taken}/cancel`);
    expect(cancelled.body.data).toMatchObject({ transaction: { state: 'Cancelled' } });
    await world.clock.advance(DAY + MINUTE);
    api = await world.login(partner);
    expect(await inState(api, poor, 'Error')).toMatchObject({ errorReason: 'CustomerAccountInsufficientFunds' });
  });

  it('to somebody who was forgotten meanwhile ends with that, and nothing leaves', async () => {
    const partner = await world.operator.partner(['50.00']);
    let api = await world.login(partner);
    const { id } = (await world.payout(api)).body.data.transaction;
    const forgotten = await runLedger(['forget', '--partner', partner.uid, '--tax-number', '52998224725'], {
      ...world.clock.settings,
      DATABASE_URL: world.database.url,
      RETENTION_YEARS: '0',
    });
    expect(forgotten).toMatchObject({ code: 0 });
    await world.clock.advance(DAY + MINUTE);
    api = await world.login(partner);
    const ended = await inState(api, id, 'Error');
    expect([ended.errorReason, ended.endToEndId]).toEqual(['RecipientForgotten', null]);
    expect(await available(api, partner.accounts[0]!)).toBe('50.00');
  });

  it('counts for the limit of its payee when its time has come', async () => {
    const partner = await world.operator.partner(['100.00']);
    await world.operator.patch(`/accounts/${partner.accounts[0]}/limits`, { payee: alike('10.00') });
    let api = await world.login(partner);
    // At noon in São Paulo: no period ends between two of them.
    const day = world.inMs(2 * DAY).slice(0, 10);
    const atNoon = async (second: number, cpf = '52998224725') => {
      const order = { orderId: `at-noon-${second}`, scheduledFor: `${day}T12:00:0${second}` };
      const payment = { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf } };
      return (await world.payout(api, order, { payment })).body.data.transaction.id as string;
    };
    const [first, second, other] = [await atNoon(0), await atNoon(4), await atNoon(5, '11144477735')];
    await world.clock.setTo(new Date(`${day}T15:00:00Z`));
    api = await world.login(partner);
    await inState(api, first, 'Completed');
    expect(await inState(api, second, 'Error')).toMatchObject({ errorReason: 'PayeeDayLimitExceeded' });
    await inState(api, other, 'Completed');
    const uses = await world.database.query(`select uses from payee_uses where id like $1`, [
      `${partner.accounts[0]}/%`,
    ]);
    const used = uses.flatMap((row: any) => Object.values(row.uses)).map(({ used: amount }: any) => amount);
    expect(used.sort()).toEqual(['700', '700']);
    expect(await available(api, partner.accounts[0]!)).toBe('86.00');
  });

  it('counts for limits that its partner has by default, and to a secure contact for its own', async () => {
    const partner = await world.operator.partner(['100.00']);
    const contact = { name: 'Maria Silva', taxNumber: '11144477735', limits: alike('9.00') };
    await world.operator.post(`/accounts/${partner.accounts[0]}/contacts`, contact);
    let api = await world.login(partner);
    // At noon in São Paulo: no period ends between two of them. The contact is in force by then.
    const day = world.inMs(3 * DAY).slice(0, 10);
    const atNoon = async (second: number, value: string, cpf: string) => {
      const order = { orderId: `at-noon-${second}`, scheduledFor: `${day}T12:00:0${second}` };
      const payment = { value, key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf } };
      return (await world.payout(api, order, { payment })).body.data.transaction.id as string;
    };
    const ids = [
      await atNoon(0, '7.00', '52998224725'),
      await atNoon(3, '7.00', '52998224725'),
      await atNoon(4, '8.00', '11144477735'),
      await atNoon(7, '2.00', '11144477735'),
    ] as const;
    // Nobody had it when they were asked for.
    await world.operator.patch(`/partners/${partner.uid}/limits`, alike('10.00'));
    await world.clock.setTo(new Date(`${day}T15:00:00Z`));
    api = await world.login(partner);
    await inState(api, ids[0], 'Completed');
    const refusal = { errorReason: 'DayLimitExceeded' };
    expect(await inState(api, ids[1], 'Error')).toMatchObject(refusal);
    await inState(api, ids[2], 'Completed');
    expect(await inState(api, ids[3], 'Error')).toMatchObject(refusal);
    expect(await available(api, partner.accounts[0]!)).toBe('85.00');
    const { items } = (await api.get(`/accounts/${partner.accounts[0]}/contacts`)).body.data;
    expect(items[0].limits.day.used).toBe('8.00');
    expect((await api.get(`/accounts/${partner.accounts[0]}/limits`)).body.data.day.used).toBe('7.00');
  }, 30_000);

  it('may be an item of a batch, beside those for now', async () => {
    const partner = await world.operator.partner(['20.00']);
    let api = await world.login(partner);
    const item = (idempotencyKey: string, transaction: object) => ({
      idempotencyKey,
      payment: { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: idempotencyKey, ...transaction },
      webhook: { url: 'https://partner.example/hook' },
    });
    const scheduledFor = world.inMs(DAY);
    const items = [
      item('now', {}),
      item('later', { scheduledFor, retryUntil: world.inMs(2 * DAY) }),
      item('past', { scheduledFor: '2020-01-01' }),
      item('cancelled', { scheduledFor }),
    ];
    const send = async () => (await api.post('/accounts/pix/cashouts/batch', { items })).body.data;
    const answer = await send();
    expect(answer.counts).toEqual({ done: 3, error: 1 });
    const [now, later, past, cancelled] = answer.items;
    expect([now, later, past, cancelled].map(({ status, data }) => [status, data?.transaction.state])).toEqual([
      [201, 'Registered'],
      [201, 'Scheduled'],
      [400, undefined],
      [201, 'Scheduled'],
    ]);
    expect(past.error.details).toMatchObject({
      reason: 'ScheduledForNotAllowed',
      property: 'transaction.scheduledFor',
    });
    expect(later.data).toMatchObject({ scheduledFor, retryUntil: expect.any(String) });
    const again = await send();
    expect(again.items.map(({ data, replayed }: any) => [data, replayed])).toEqual(
      answer.items.map(({ data }: any) => [data, data && true]),
    );
    // A key is the single route's too.
    const { idempotencyKey, ...body } = items[1]!;
    const single = await api.post('/accounts/pix/cashout', body, { 'idempotency-key': idempotencyKey });
    expect([single.headers.get('idempotent-replayed'), single.body.data]).toEqual(['true', later.data]);
    await inState(api, now.data.transaction.id, 'Completed');
    expect(await api.balance(partner.accounts[0]!)).toEqual({ available: '13.00', held: '0.00', blocked: '0.00' });
    expect((await api.post(`/accounts/transactions/${cancelled.data.transaction.id}/cancel`)).status).toBe(200);
    expect(await waiting(api)).toEqual([later.data.transaction.id]);
    await world.clock.advance(DAY + MINUTE);
    api = await world.login(partner);
    await inState(api, later.data.transaction.id, 'Completed');
    expect(await available(api, partner.accounts[0]!)).toBe('6.00');
  });

  it('is not of a code', async () => {
    const api = await world.login(await world.operator.partner(['5.00']));
    const { body } = await world.payout(api, {}, { payment: { qrCode: '00020126' } });
    expect(body.error.details).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: 'transaction.scheduledFor', code: 'NotAllowed' })]),
    );
  });
});

it('the history of all that is sound', () => world.assertSound());

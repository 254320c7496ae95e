import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, type PartnerApi, type TestPartner } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { available, DAY, inState, LaterWorld, MINUTE, read, waiting } from '../support/later-world.js';

let world: LaterWorld;
beforeAll(async () => (world = await LaterWorld.start()), 60_000);
afterAll(() => world?.stop());

describe('a schedule', () => {
  /** What the account of a partner's key is told. */
  const listener = async (partner: TestPartner, { token }: PartnerApi) => {
    const path = `/${partner.uid}`;
    const address = `/partners-int/accounts/${partner.accounts[0]}/webhook`;
    const set = await call(world.service.url, 'PUT', address, { token, body: { url: world.receiver.url(path) } });
    expect(set.status).toBe(200);
    return async (count: number): Promise<any[]> => {
      const receipts = await world.receiver.arrived(path, count);
      return receipts.map(({ body }) => JSON.parse(body));
    };
  };
  const repeat = (api: PartnerApi, changes: object, key?: string) =>
    api.post(
      '/accounts/schedules',
      { every: 'month', startsOn: world.inMs(DAY), count: 3, ...changes },
      key ? { 'idempotency-key': key } : {},
    );
  const schedule = async (api: PartnerApi, id: string) => (await api.get(`/accounts/schedules/${id}`)).body.data;
  const made = (api: PartnerApi, id: string, runs: readonly string[]) =>
    eventually(async () => {
      const found = await schedule(api, id);
      return JSON.stringify(found.runs.map(({ state }: any) => state)) === JSON.stringify(runs) && found;
    });

  it('makes its runs one after the other, each a transfer of its own, and told', async () => {
    const partner = await world.operator.partner(['100.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    let api = await world.login(partner);
    const told = await listener(partner, api);
    const body = { transfer: { refAccountCredit: to, transferAmount: '10.00', transferDescription: 'Rent' } };
    const first = await repeat(api, { ...body, startsOn: world.inMs(DAY).slice(0, 10) }, 'monthly');
    const again = await repeat(api, { ...body, startsOn: world.inMs(DAY).slice(0, 10) }, 'monthly');
    expect([first.status, first.body.statusCode, again.body]).toEqual([201, 'Incomplete', first.body]);
    const { id, runs } = first.body.data;
    const nextRun = runs[0].scheduledFor;
    expect(first.body.data).toMatchObject({ state: 'Active', kind: 'Transfer', count: 3, amount: '10.00', nextRun });
    expect(runs).toMatchObject([{ number: 1, state: 'Scheduled' }]);
    expect(await waiting(api)).toEqual([runs[0].transactionId]);

    await world.clock.setTo(new Date(Date.parse(runs[0].scheduledFor) + MINUTE));
    api = await world.login(partner);
    const second = await made(api, id, ['Completed', 'Scheduled']);
    expect(second.nextRun).toBe(second.runs[1].scheduledFor);
    expect((await read(api, second.runs[1].transactionId)).transaction).toMatchObject({
      state: 'Scheduled',
      scheduleId: id,
      orderDescription: 'Rent',
    });
    await world.clock.setTo(new Date(Date.parse(second.nextRun) + MINUTE));
    api = await world.login(partner);
    const third = await made(api, id, ['Completed', 'Completed', 'Scheduled']);
    expect(third).toMatchObject({ state: 'Active', nextRun: third.runs[2].scheduledFor });
    await world.clock.setTo(new Date(Date.parse(third.runs[2].scheduledFor) + MINUTE));
    api = await world.login(partner);
    expect(await made(api, id, ['Completed', 'Completed', 'Completed'])).toMatchObject({
      state: 'Ended',
      nextRun: null,
    });
    expect([await available(api, from), await available(api, to)]).toEqual(['70.00', '30.00']);
    const { runs: all } = await schedule(api, id);
    expect((await told(3)).map(({ type, data }) => [type, data.id, data.amount])).toEqual(
      all.map(({ transactionId }: any) => ['transfer.settled', transactionId, '10.00']),
    );
    expect((await call(world.service.url, 'DELETE', `/partners-int/accounts/schedules/${id}`, api)).status).toBe(422);
  }, 30_000);

  it('of payouts numbers their orders, tells each, and stops when it is cancelled', async () => {
    const partner = await world.operator.partner(['100.00', '0.00']);
    const [from] = partner.accounts as [string];
    let api = await world.login(partner);
    const cashOut = {
      payment: { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: 'wage', orderDescription: 'Wage' },
      webhook: { url: world.receiver.url('/wages'), customHeaderName: 'x-key', customHeaderValue: 'a secret' },
    };
    const { body } = await repeat(api, { every: 'week', retryForHours: 24, cashOut });
    const { id, runs } = body.data;
    await world.clock.setTo(new Date(Date.parse(runs[0].scheduledFor) + MINUTE));
    api = await world.login(partner);
    const now = await made(api, id, ['Completed', 'Scheduled']);
    expect((await read(api, runs[0].transactionId)).transaction.orderId).toBe('wage-1');
    const next = await read(api, now.runs[1].transactionId);
    expect(next.transaction).toMatchObject({ orderId: 'wage-2', orderDescription: 'Wage', scheduleId: id });
    expect(next.payment.key.value).toBe('maria@example.com');
    const other = await world.login(await world.operator.partner(['0.00']));
    expect((await other.get(`/accounts/schedules/${id}`)).status).toBe(404);
    // Of two payouts either may be told first.
    await world.receiver.arrived('/wages', 2);
    const cancelled = await call(world.service.url, 'DELETE', `/partners-int/accounts/schedules/${id}`, api);
    expect(cancelled.body.data).toMatchObject({ state: 'Cancelled', nextRun: null });
    expect(cancelled.body.data.runs.map(({ state }: any) => state)).toEqual(['Completed', 'Cancelled']);
    expect((await api.get('/accounts/schedules')).body.data.items.map((one: any) => one.id)).toEqual([id]);
    await eventually(async () => {
      const rows = await world.database.query(`select from work where payload ->> 'partnerUid' = $1`, [partner.uid]);
      return rows.length === 0;
    });
    expect(await available(api, from)).toBe('93.00');
    const told = await world.receiver.arrived('/wages', 3);
    expect(told.every(({ headers }) => headers['x-key'] === 'a secret')).toBe(true);
    const states = told.map(({ body: text }) => JSON.parse(text) as Record<string, unknown>);
    expect(states.map((one) => [one.transactionOrderId, one.transactionState])).toEqual([
      ['wage-1', 'Registered'],
      ['wage-1', 'Completed'],
      ['wage-2', 'Cancelled'],
    ]);
  }, 30_000);

  it('is cancelled with a run that waits for funds, though the next one was made', async () => {
    const partner = await world.operator.partner(['0.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    let api = await world.login(partner);
    const transfer = { refAccountCredit: to, transferAmount: '10.00' };
    const { body } = await repeat(api, { every: 'week', retryForHours: 48, transfer });
    const { id, runs } = body.data;
    await world.clock.setTo(new Date(Date.parse(runs[0].scheduledFor) + MINUTE));
    api = await world.login(partner);
    await made(api, id, ['Scheduled', 'Scheduled']);
    const cancelled = await call(world.service.url, 'DELETE', `/partners-int/accounts/schedules/${id}`, api);
    expect(cancelled.body.data).toMatchObject({ state: 'Cancelled', nextRun: null });
    expect(cancelled.body.data.runs.map(({ state }: any) => state)).toEqual(['Cancelled', 'Cancelled']);
    await world.operator.post(`/accounts/${from}/credits`, { amount: '50.00', reason: 'test' });
    await world.clock.advance(10 * MINUTE);
    await eventually(async () => {
      const rows = await world.database.query(`select from work where payload ->> 'partnerUid' = $1`, [partner.uid]);
      return rows.length === 0;
    });
    expect(await available(api, from)).toBe('50.00');
  }, 30_000);

  it('of payouts ends a run whose order is used already, and goes on with the next one', async () => {
    const partner = await world.operator.partner(['100.00']);
    await world.operator.patch(`/partners/${partner.uid}/settings`, { uniqueOrderIds: true });
    let api = await world.login(partner);
    const transaction = (orderId: string) => ({ orderId, scheduledFor: undefined });
    const first = (await world.payout(api, transaction('rent-2'))).body.data.transaction.id;
    await inState(api, first, 'Completed');
    const rents = (orderId: string) => ({
      cashOut: {
        payment: { value: '5.00', key: { type: 'EMAIL', value: 'ana@example.com' }, recipient: { cpf: '52998224725' } },
        transaction: { orderId },
        webhook: { url: world.receiver.url('/rents') },
      },
    });
    const { status, body } = await repeat(api, rents('rent'));
    expect(status).toBe(201);
    expect((await repeat(api, rents('rent '))).status).toBe(409);
    const { id, runs } = body.data;
    await world.clock.setTo(new Date(Date.parse(runs[0].scheduledFor) + MINUTE));
    api = await world.login(partner);
    const second = await made(api, id, ['Completed', 'Error']);
    expect(second).toMatchObject({
      state: 'Active',
      runs: [{ errorReason: null }, { errorReason: 'OrderIdAlreadyUsed' }],
    });
    expect(await waiting(api)).toEqual([]);
    expect((await world.payout(api, transaction('rent-3'), {})).status).toBe(201);
    await world.clock.setTo(new Date(Date.parse(second.nextRun) + MINUTE));
    api = await world.login(partner);
    const third = await made(api, id, ['Completed', 'Error', 'Error']);
    expect(third).toMatchObject({ state: 'Ended', nextRun: null });
    const told = (await world.receiver.arrived('/rents', 4)).map(({ body: text }) => JSON.parse(text));
    expect(told.map((one) => `${one.transactionOrderId} ${one.transactionState}`).sort()).toEqual([
      'rent-1 Completed',
      'rent-1 Registered',
      'rent-2 Error',
      'rent-3 Error',
    ]);
    // rent-2 and rent-3 by themselves, and rent-1: no order was paid twice.
    expect(await available(api, partner.accounts[0]!)).toBe('81.00');
  }, 30_000);

  it('of payouts makes all its runs where orders are unique, from whichever of them on', async () => {
    const partner = await world.operator.partner(['100.00']);
    const unique = (uniqueOrderIds: boolean) =>
      world.operator.patch(`/partners/${partner.uid}/settings`, { uniqueOrderIds });
    await unique(true);
    let api = await world.login(partner);
    const cashOut = {
      payment: { value: '5.00', key: { type: 'EMAIL', value: 'ana@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: 'lease' },
      webhook: { url: 'https://partner.example/hook' },
    };
    const { id, runs } = (await repeat(api, { count: 4, cashOut })).body.data;
    let nextRun: string = runs[0].scheduledFor;
    for (let paid = 1; paid <= 4; paid++) {
      await world.clock.setTo(new Date(Date.parse(nextRun) + MINUTE));
      api = await world.login(partner);
      const now = await made(api, id, [...Array(paid).fill('Completed'), ...(paid < 4 ? ['Scheduled'] : [])]);
      nextRun = now.nextRun;
      if (paid < 4) await unique(paid === 2);
    }
    expect(await available(api, partner.accounts[0]!)).toBe('80.00');
  }, 30_000);

  it.each([
    ['was paid', 3, ['Completed', 'Scheduled']],
    ['was the only one', 1, ['Completed']],
  ])('is told as it was made when it is asked for again after its run %s', async (_name, count, ends) => {
    const partner = await world.operator.partner(['100.00', '0.00']);
    let api = await world.login(partner);
    const transfer = { refAccountCredit: partner.accounts[1]!, transferAmount: '10.00' };
    const body = { transfer, count, startsOn: world.inMs(DAY) };
    const first = await repeat(api, body, 'again');
    const { id, runs } = first.body.data;
    // The answer is what a read says then.
    expect([first.status, first.body.data]).toEqual([201, await schedule(api, id)]);
    await world.clock.setTo(new Date(Date.parse(runs[0].scheduledFor) + MINUTE));
    api = await world.login(partner);
    await made(api, id, ends);
    const again = await repeat(api, body, 'again');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
  });

  it('is told as it was made when it is asked for again after it was cancelled', async () => {
    const api = await world.login(await world.operator.partner(['100.00']));
    const cashOut = {
      payment: { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: 'wage' },
      webhook: { url: 'https://partner.example/hook' },
    };
    const body = { cashOut, startsOn: world.inMs(DAY) };
    const first = await repeat(api, body, 'again');
    const { id } = first.body.data;
    expect([first.status, first.body.data]).toEqual([201, await schedule(api, id)]);
    expect((await call(world.service.url, 'DELETE', `/partners-int/accounts/schedules/${id}`, api)).status).toBe(200);
    const again = await repeat(api, body, 'again');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
  });

  it('of transfers of a Legacy account, refused or not, is announced to end', async () => {
    const partner = await world.operator.partner(['0.00', '0.00'], { class: 'Legacy' });
    const sunsetDate = world.inMs(30 * DAY);
    await world.operator.patch(`/partners/${partner.uid}/settings`, { sunsetDate });
    const api = await world.login(partner);
    const transfer = { refAccountCredit: partner.accounts[1]!, transferAmount: '1.00' };
    const cashOut = {
      payment: { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: 'wage' },
      webhook: { url: 'https://partner.example/hook' },
    };
    const announced = async (changes: object) => {
      const { status, headers } = await repeat(api, changes);
      return [status, headers.get('deprecation'), headers.get('sunset')];
    };
    const told = [expect.stringMatching(/^@\d+$/), new Date(sunsetDate).toUTCString()];
    expect(await announced({ transfer })).toEqual([201, ...told]);
    expect(await announced({ transfer, startsOn: '2020-01-01' })).toEqual([400, ...told]);
    expect(await announced({ cashOut })).toEqual([201, null, null]);
  });

  it('says all that is wrong with it at once', async () => {
    const api = await world.login(await world.operator.partner(['0.00', '0.00']));
    const faults = ({ body }: any) => body.error.details.map(({ path, code }: any) => `${path} ${code}`).sort();
    expect(faults(await repeat(api, { every: 'day', until: '2027-01-01', startsOn: 'soon' }))).toEqual([
      'every NotAllowed',
      'startsOn InvalidFormat',
      'transfer Required',
      'until MutuallyExclusive',
    ]);
    const transfer = { refAccountCredit: 'x', transferAmount: '1.00', scheduledFor: world.inMs(DAY) };
    expect(faults(await repeat(api, { transfer, cashOut: {} }))).toEqual(
      expect.arrayContaining(['cashOut MutuallyExclusive', 'transfer.scheduledFor NotAllowed']),
    );
    const long = await repeat(api, {
      count: undefined,
      until: world.inMs(1_000 * DAY),
      every: 'week',
      transfer: { refAccountCredit: 'x', transferAmount: '1.00' },
    });
    expect(long.body.error.details.reason).toBe('ScheduleRunsNotAllowed');
  });
});

it('the history of all that is sound', () => world.assertSound());

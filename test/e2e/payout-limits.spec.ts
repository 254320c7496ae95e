import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import {
  alike,
  LimitsWorld,
  payout,
  payoutOfMany,
  RAISE_DELAY_MS,
  readLimits as read,
  reasonsOf as reasons,
} from '../support/payout-limits.js';
import { ADMIN_TOKEN, type Service } from '../support/service.js';

let world: LimitsWorld;
let services: readonly Service[];
const given = () => world.partner();
const set = (account: string, limits: object) => world.set(account, limits);

beforeAll(async () => {
  world = await LimitsWorld.start();
  services = world.services;
}, 100_000);

afterAll(() => world?.stop());

describe('limits of payouts', () => {
  it('200 payouts at once, on two processes, against a limit for 100: exactly 100 are accepted', async () => {
    const one = await given();
    await set(one.account, alike('100.00'));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => payoutOfMany(one.api.on(services[i % 2]!.url), '1.00')),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
    const [reason, ...others] = reasons(answers);
    expect(reason).toMatch(/^(Day|Night)LimitExceeded$/);
    expect(others).toEqual([]);
    const now = world.present<any>(await read(one));
    expect(now).toMatchObject({ limit: '100.00', used: '100.00', left: '0.00' });
    expect(answers.find(({ status }) => status === 422)!.body.error.details).toMatchObject({
      limit: '100.00',
      left: '0.00',
      from: now.to,
    });
    await assertLedgerSound(world.database);
  });

  it('count payouts of an hour, and tell of every limit what is left', async () => {
    const one = await given();
    const none = await read(one);
    expect(none).toMatchObject({
      payment: { limit: null, next: null },
      day: { limit: null, used: null, left: null },
      payoutsPerHour: { limit: null, used: null, left: null },
      nightStartsAt: '20:00',
      nextNightStart: null,
    });
    const limits = { payment: '50.00', month: '60', payoutsPerHour: 2, nightStartsAt: '22:00' };
    expect(await set(one.account, limits)).toMatchObject({
      month: { limit: '60.00', used: '0.00', left: '60.00' },
      nightStartsAt: '22:00',
    });
    expect(reasons([await payout(one.api, '50.01')])).toEqual(new Set(['PaymentLimitExceeded']));
    expect((await payout(one.api, '40.00')).status).toBe(201);
    expect(reasons([await payout(one.api, '20.01')])).toEqual(new Set(['MonthLimitExceeded']));
    expect((await payout(one.api, '20.00')).status).toBe(201);
    expect(reasons([await payout(one.api, '0.01')])).toEqual(new Set(['PayoutsPerHourExceeded']));
    expect(await read(one)).toMatchObject({
      payment: { limit: '50.00', next: null },
      month: { limit: '60.00', used: '60.00', left: '0.00' },
      payoutsPerHour: { limit: 2, used: 2, left: 0 },
    });
  });

  it('are given back by a payout that fails', async () => {
    const one = await given();
    await set(one.account, { month: '20.97' });
    const { id } = (await payout(one.api, '20.97')).body.data.transaction;
    const stateOf = async () => (await one.api.get(`/accounts/transactions/${id}`)).body.data.transaction.state;
    await eventually(async () => (await stateOf()) === 'Error');
    expect(await read(one)).toMatchObject({ month: { used: '0.00', left: '20.97' }, payoutsPerHour: { used: 0 } });
    expect((await payout(one.api, '20.00')).status).toBe(201);
  });

  it('are lowered at once in every process, and raised after the delay, which is told', async () => {
    const one = await given();
    const there = one.api.on(services[1]!.url);
    expect((await payout(there, '5.00')).status).toBe(201);
    for (const limit of ['4.00', '3.00', '2.00']) {
      await set(one.account, { payment: limit });
      expect(reasons([await payout(there, '5.00')])).toEqual(new Set(['PaymentLimitExceeded']));
    }
    const asked = world.now().getTime();
    const { payment } = await set(one.account, { payment: '5.00' });
    expect(payment).toEqual({ limit: '2.00', next: { limit: '5.00', from: expect.any(String) } });
    expect(Date.parse(payment.next.from)).toBeGreaterThanOrEqual(asked + RAISE_DELAY_MS - 500);
    expect(reasons([await payout(there, '5.00')])).toEqual(new Set(['PaymentLimitExceeded']));
    expect((await read(one)).payment).toEqual(payment);
    await world.delayPasses();
    await eventually(async () => (await payout(there, '5.00')).status === 201, { within: 5_000 });
    // Each process looks at the moved clock by itself.
    await eventually(async () => (await read(one)).payment.next === null);
    expect((await read(one)).payment).toEqual({ limit: '5.00', next: null });
  });

  it('are told to the partner whose account it is, and set by the operator alone', async () => {
    const [one, other] = [await given(), await given()];
    expect((await other.api.get(`/accounts/${one.account}/limits`)).status).toBe(404);
    expect((await one.api.get(`/accounts/${one.partner.accounts[1]}/limits`)).status).toBe(200);
    const path = `/admin/accounts/${one.account}/limits`;
    const byPartner = { token: one.api.token, body: { payment: '1.00' } };
    expect((await call(services[0]!.url, 'PATCH', path, byPartner)).status).toBe(401);
    const malformed = await call(services[0]!.url, 'PATCH', path, {
      token: ADMIN_TOKEN,
      body: { day: '-1', payoutsPerHour: 1.5, nightStartsAt: '21:00' },
    });
    expect(malformed.body.error.details.map(({ path: member }: any) => member).sort()).toEqual([
      'day',
      'nightStartsAt',
      'payoutsPerHour',
    ]);
  });
});

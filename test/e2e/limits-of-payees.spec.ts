import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, call, type PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { newId } from '../../src/event-store/index.js';
import { eventually } from '../support/eventually.js';
import { alike, LimitsWorld, payout, payoutOfMany, readLimits, reasonsOf } from '../support/payout-limits.js';
import { cashOutBody, withMember } from '../support/pix-bodies.js';
import { ADMIN_TOKEN } from '../support/service.js';

const MARIA = '11144477735';
const JOANA = '52998224725';

let world: LimitsWorld;

beforeAll(async () => {
  world = await LimitsWorld.start();
}, 100_000);

afterAll(() => world?.stop());

const detailsOf = ({ body }: Answer) => body.error.details;
const accepted = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 201).length;
const ends = (api: PartnerApi, id: string, state: string) =>
  eventually(async () => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction.state === state);

describe('a limit of one payee', () => {
  it('is never passed by payouts at once, on two processes, to payees that are new', async () => {
    const one = await world.partner();
    await world.set(one.account, { payee: alike('30.00') });
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        payoutOfMany(one.api.on(world.services[i % 2]!.url), '1.00', i % 4 < 2 ? MARIA : JOANA),
      ),
    );
    expect(accepted(answers)).toBe(60);
    const [reason, ...others] = reasonsOf(answers);
    expect(reason).toMatch(/^Payee(Day|Night)LimitExceeded$/);
    expect(others).toEqual([]);
    const { to } = world.present<any>((await readLimits(one)).payee);
    const refused = answers.find(({ status }) => status === 422)!;
    expect(detailsOf(refused)).toMatchObject({ limit: '30.00', left: '0.00', from: to });
    await assertLedgerSound(world.database);
  });

  it('gets back what a payout that fails had taken', async () => {
    const one = await world.partner();
    await world.set(one.account, { payee: alike('25.00'), others: { month: '25.00' } });
    const { id } = (await payout(one.api, '20.97')).body.data.transaction;
    expect((await readLimits(one)).others.month).toMatchObject({ used: '20.97', left: '4.03' });
    await ends(one.api, id, 'Error');
    expect((await readLimits(one)).others.month).toMatchObject({ used: '0.00', left: '25.00' });
    expect((await payout(one.api, '25.00')).status).toBe(201);
    await assertLedgerSound(world.database);
  });
});

describe('a dry run', () => {
  it('finds the limit of a payee whom nobody has paid before, by itself and in a batch', async () => {
    const one = await world.partner();
    await world.set(one.account, { payee: alike('30.00') });
    const body = (value: string) => withMember(cashOutBody.key(value), 'payment.recipient.cpf', '39053344705');
    const dry = (value: string) => one.api.post('/accounts/pix/cashout?dryRun=true', body(value));
    expect((await dry('30.00')).body.data).toMatchObject({ dryRun: true });
    expect(detailsOf(await dry('30.01'))).toMatchObject({ reason: expect.stringMatching(/^Payee/), left: '30.00' });
    const items = ['20.00', '10.01'].map((value, i) => ({ idempotencyKey: `item-${i}`, ...body(value) }));
    const batch = await one.api.post('/accounts/pix/cashouts/batch?dryRun=true', { items });
    expect(batch.body.data.items.map(({ status }: { status: number }) => status)).toEqual([200, 422]);
  });
});

describe('limits apart', () => {
  it('hold beside those of all payouts, for the holder and for others', async () => {
    const one = await world.partner();
    const own = one.partner.taxNumber;
    await world.set(one.account, { ...alike('100.00'), own: alike('60.00'), others: { payment: '30.00' } });
    expect(detailsOf(await payout(one.api, '30.01'))).toMatchObject({
      reason: 'PaymentLimitExceeded',
      limit: '30.00',
      scope: 'Others',
    });
    expect((await payout(one.api, '60.00', own)).status).toBe(201);
    expect(detailsOf(await payout(one.api, '0.01', own))).toMatchObject({
      reason: expect.stringMatching(/^(Day|Night)LimitExceeded$/),
      left: '0.00',
      scope: 'Own',
    });
    expect((await payout(one.api, '30.00')).status).toBe(201);
    const last = await payout(one.api, '10.01');
    expect(detailsOf(last)).toMatchObject({ left: '10.00' });
    expect(detailsOf(last)).not.toHaveProperty('scope');
    const limits = await readLimits(one);
    expect(world.present<any>(limits)).toMatchObject({ used: '90.00', left: '10.00' });
    expect(world.present<any>(limits.own)).toMatchObject({ limit: '60.00', used: '60.00', left: '0.00' });
    expect(limits.others).toMatchObject({ payment: { limit: '30.00' }, month: { limit: null, used: '30.00' } });
  });
});

describe('a secure contact', () => {
  const register = (account: string, taxNumber: string, limits: object) =>
    world.operator.post(`/accounts/${account}/contacts`, { name: 'Maria Silva', taxNumber, limits });

  it('has its own limits instead of the account’s, after the delay, and they are told', async () => {
    const one = await world.partner();
    await world.set(one.account, { ...alike('10.00'), payee: alike('5.00') });
    const contact = await register(one.account, '111.444.777-35', { ...alike('100.00'), payment: '60.00' });
    expect(contact).toMatchObject({ name: 'Maria Silva', taxNumber: MARIA, limits: { payment: { limit: '60.00' } } });
    expect(reasonsOf([await payout(one.api, '20.00')])).toEqual(
      new Set([expect.stringMatching(/^(Day|Night)LimitExceeded$/)]),
    );
    await world.delayPasses();
    await eventually(async () => (await payout(one.api, '60.00')).status === 201, { within: 5_000 });
    expect(detailsOf(await payout(one.api, '40.01'))).toMatchObject({ left: '40.00', scope: 'Contact' });
    const { id } = (await payout(one.api, '20.97')).body.data.transaction;
    await ends(one.api, id, 'Error');
    const { items } = (await one.api.get(`/accounts/${one.account}/contacts`)).body.data;
    expect(items).toMatchObject([{ id: contact.id, taxNumber: MARIA }]);
    expect(world.present<any>(items[0].limits)).toMatchObject({ limit: '100.00', used: '60.00', left: '40.00' });
    const limits = await readLimits(one);
    expect(limits).toMatchObject({ contacts: 1, payoutsPerHour: { used: 1 } });
    expect(world.present<any>(limits)).toMatchObject({ used: '0.00' });
    expect((await payout(one.api, '5.00', JOANA)).status).toBe(201);
    expect(detailsOf(await payout(one.api, '0.01', JOANA)).reason).toMatch(/^Payee/);
    await assertLedgerSound(world.database);
  });

  it('is raised after the delay, lowered and removed at once; registered again it counts on', async () => {
    const one = await world.partner();
    await world.set(one.account, { payment: '1.00' });
    const { id } = await register(one.account, MARIA, { month: '50.00' });
    const path = `/accounts/${one.account}/contacts/${id}`;
    await world.delayPasses();
    await eventually(async () => (await payout(one.api, '30.00')).status === 201, { within: 5_000 });
    const raised = await world.operator.patch(path, { month: '90.00' });
    expect(raised.limits.month).toMatchObject({ limit: '50.00', next: { limit: '90.00' }, used: '30.00' });
    expect((await world.operator.patch(path, { month: '40.00' })).limits.month).toMatchObject({ next: null });
    expect(detailsOf(await payout(one.api, '10.01'))).toMatchObject({ reason: 'MonthLimitExceeded', left: '10.00' });
    await world.operator.post(`${path}/remove`);
    expect(detailsOf(await payout(one.api, '1.01'))).toMatchObject({ reason: 'PaymentLimitExceeded', limit: '1.00' });
    expect((await world.operator.get(`/accounts/${one.account}/contacts`)).items).toEqual([]);
    expect((await readLimits(one)).contacts).toBe(0);
    const again = await register(one.account, MARIA, { month: '50.00' });
    expect(again).toMatchObject({ id, limits: { month: { used: '30.00', left: '20.00' } } });
    await assertLedgerSound(world.database);
  });

  it('is the operator’s to register, once, and no other partner’s to see', async () => {
    const [one, other] = [await world.partner(), await world.partner()];
    await register(one.account, MARIA, {});
    const admin = (path: string, body: object, token = ADMIN_TOKEN) =>
      call(world.services[0]!.url, 'POST', `/admin/accounts/${one.account}/contacts${path}`, { token, body });
    const body = { name: 'Maria', taxNumber: MARIA, limits: {} };
    expect((await admin('', body, one.api.token)).status).toBe(401);
    expect(await admin('', body)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'ContactAlreadyRegistered' } } },
    });
    const malformed = await admin('', { name: '', taxNumber: '1', limits: { day: '-1' } });
    expect(malformed.body.error.details.map(({ path }: any) => path).sort()).toEqual([
      'limits.day',
      'name',
      'taxNumber',
    ]);
    for (const unknown of ['nobody', '%00', newId(1)]) {
      expect((await admin(`/${unknown}/remove`, {})).status).toBe(404);
    }
    expect((await other.api.get(`/accounts/${one.account}/contacts`)).status).toBe(404);
  });
});

describe('defaults of a partner', () => {
  it('hold for accounts without limits of their own, from the next payout on, and are in the log', async () => {
    const one = await world.partner();
    const path = `/partners/${one.partner.uid}/limits`;
    expect(await world.operator.patch(path, { month: '50.00', payoutsPerHour: 9 })).toMatchObject({
      month: { limit: '50.00' },
      payoutsPerHour: { limit: 9 },
    });
    await eventually(async () => (await readLimits(one)).month.limit === '50.00');
    expect(await readLimits(one)).toMatchObject({ byDefault: ['month', 'payoutsPerHour'], month: { left: '50.00' } });
    const there = one.api.on(world.services[1]!.url);
    await eventually(async () => (await payout(there, '50.01')).status === 422);
    expect((await payout(there, '30.00')).status).toBe(201);
    expect(detailsOf(await payout(one.api, '20.01'))).toMatchObject({ reason: 'MonthLimitExceeded', left: '20.00' });
    const own = await world.set(one.account, { month: '31.00' });
    expect(own).toMatchObject({ byDefault: ['payoutsPerHour'], month: { limit: '31.00', used: '30.00' } });
    await world.operator.patch(path, { month: '10.00', day: '31.00', night: '31.00' });
    await eventually(async () => (await readLimits(one)).byDefault.length === 3);
    expect((await payout(one.api, '1.00')).status).toBe(201);
    const changes = await world.database.query(
      `select data from event where stream = 'account-${one.account}' and type = 'PayoutLimitsChanged' order by position`,
    );
    expect(changes.map(({ data }: any) => [data.terms.month.value, data.set, data.defaults])).toEqual([
      ['5000', [], 2],
      ['3100', ['month'], 2],
      ['3100', ['month'], 3],
    ]);
    await assertLedgerSound(world.database);
  });
});

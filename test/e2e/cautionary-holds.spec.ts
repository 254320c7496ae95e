import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { followed } from '../support/followed.js';
import { runLedger } from '../support/ledger-cli.js';
import { PAYER, PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';

const HOUR_MS = 3_600_000;
const PERSON = '39053344705';
const SOMEBODY = { name: 'Beltrana', taxNumber: '11144477735' };

let edge: PixEdge;
let operator: OperatorApi;
/** An account of a natural person, and the session that acts for it. */
let uid: string;
let company: string;
let companySession: PartnerApi;

beforeAll(async () => {
  edge = await PixEdge.start();
  operator = new OperatorApi(edge.service.url);
  company = edge.partner.accounts[0]!;
  companySession = edge.api;
}, 60_000);

afterAll(async () => {
  if (edge) await assertLedgerSound(edge.database);
  await edge?.stop();
});

const rules = (uid = edge.partner.uid) => `/partners/${uid}/cautionary-rules`;
const addRule = (rule: object) => operator.post(rules(), { name: 'Regra', ...rule });

/** A person's account without history, and no rule. */
beforeEach(async () => {
  for (const { id } of (await operator.get(rules())).items) await operator.post(`${rules()}/${id}/remove`);
  const opened = await operator.post(`/partners/${edge.partner.uid}/accounts`, { name: 'Ana', taxNumber: PERSON });
  uid = opened.uid;
  const { accessKey, secret } = await operator.post(`/accounts/${uid}/access-keys`, {});
  edge.api = await PartnerApi.login(edge.service.url, { accessKey, secret });
});

const deposit = async (amount: string, payer: object = {}) => {
  const { id, qrCode } = await edge.cashIn(amount);
  await edge.pay(qrCode, payer);
  await edge.reaches(id, 'Completed');
  return id;
};
const balance = () => edge.api.balance(uid);
const holds = async () => (await edge.api.get(`/accounts/${uid}/holds`)).body.data.items;
const admin = (path: string, body?: unknown, headers?: Record<string, string>) =>
  call(edge.service.url, 'POST', `/admin/accounts/${uid}/holds/${path}`, { token: ADMIN_TOKEN, body, headers });
const refusal = ({ status, body }: { status: number; body: any }) => [status, body.error.details.reason];
const eventsOf = (hold: string) =>
  edge.database.query<{ type: string; data: any; actor: string }>(
    `select type, data, metadata->>'actor' as actor from event where stream = $1 order by version`,
    [`hold-${hold}`],
  );

describe('a rule by amount', () => {
  it('blocks the credit of a larger deposit in its own commit, and the partner sees why and until when', async () => {
    const rule = await addRule({ name: 'Grande', amountAbove: '100.00', hours: 24 });
    expect(rule).toEqual({
      id: expect.any(String),
      name: 'Grande',
      amountAbove: '100.00',
      payerUnknown: false,
      payerInstitution: null,
      timeOfDay: null,
      companies: false,
      hours: 24,
    });
    await deposit('100.00');
    const id = await deposit('100.01');
    expect(await balance()).toEqual({ available: '100.00', held: '0.00', blocked: '100.01' });
    const [hold, ...others] = await holds();
    expect(others).toEqual([]);
    expect(hold).toMatchObject({
      cause: 'Cautionary',
      reference: id,
      depositId: id,
      blocked: '100.01',
      status: 'Open',
    });
    expect(Date.parse(hold.expiresAt) - Date.parse(hold.placedAt)).toBe(24 * HOUR_MS);
    const { body } = await edge.api.get(`/accounts/transactions/${id}`);
    expect(body.data.payment.hold).toEqual({ id: hold.id, expiresAt: hold.expiresAt });
    const rows = await edge.database.query(
      `select type, position from event where position >= (select position from event where stream = $1 and type = 'CashInCompleted')
         and partition = (select partition from account where uid = $2) order by position limit 2`,
      [`cash-in-${id}`, uid],
    );
    expect(rows.map(({ type }) => type)).toEqual(['CashInCompleted', 'HoldPlaced']);
    const [placed] = await eventsOf(hold.id);
    expect(placed!.data).toMatchObject({ depositId: id, rule: { id: rule.id, name: 'Grande' } });
    expect((await operator.get(rules())).items).toEqual([rule]);
    await operator.post(`${rules()}/${rule.id}/remove`);
    await deposit('500.00');
    expect(await balance()).toMatchObject({ available: '600.00', blocked: '100.01' });
  });

  it('blocks what is left after the charge', async () => {
    await operator.patch(`/partners/${edge.partner.uid}/settings`, { cashInCharge: '0.50' });
    await addRule({ amountAbove: '0.00' });
    await deposit('10.00');
    await operator.patch(`/partners/${edge.partner.uid}/settings`, { cashInCharge: null });
    expect(await balance()).toEqual({ available: '0.00', held: '0.00', blocked: '9.50' });
  });

  it("never blocks a company's account, unless the rule is for companies too", async () => {
    edge.api = companySession;
    const { available } = await edge.api.balance(company);
    await addRule({ amountAbove: '0.00' });
    await deposit('20.00');
    expect(await edge.api.balance(company)).toMatchObject({ available: (Number(available) + 20).toFixed(2) });
    await addRule({ amountAbove: '0.00', companies: true });
    await deposit('30.00');
    expect(await edge.api.balance(company)).toMatchObject({ blocked: '30.00' });
  });
});

describe('a rule for unknown payers', () => {
  it('blocks the first deposit of somebody, on each account, and none after it', async () => {
    await deposit('1.00'); // a payer of before the rule
    await addRule({ payerUnknown: true });
    await deposit('2.00');
    expect(await balance()).toMatchObject({ available: '3.00', blocked: '0.00' });
    await deposit('4.00', SOMEBODY);
    expect(await balance()).toMatchObject({ available: '3.00', blocked: '4.00' });
    await deposit('8.00', SOMEBODY);
    expect(await balance()).toMatchObject({ available: '11.00', blocked: '4.00' });
  });

  it('is one condition among others: the first rule decides whose conditions all hold', async () => {
    await addRule({ name: 'A', payerUnknown: true, amountAbove: '50.00', hours: 1 });
    await addRule({ name: 'B', payerInstitution: '60701190', hours: 2 });
    await deposit('10.00', SOMEBODY);
    expect(await holds()).toEqual([]);
    await deposit('60.00', { ...SOMEBODY, ispb: '60701190' });
    const [hold] = await holds();
    const [placed] = await eventsOf(hold.id);
    expect(placed!.data.rule.name).toBe('B');
    await deposit('60.00', { ...PAYER, ispb: '60701190' });
    const [next] = await holds();
    expect((await eventsOf(next.id))[0]!.data.rule.name).toBe('A');
  });
});

describe('what is blocked of a deposit', () => {
  let hold: any;
  let id: string;
  beforeEach(async () => {
    await edge.behave({ refunds: 'settle' });
    await addRule({ amountAbove: '0.00', hours: 72 });
    id = await deposit('40.00');
    [hold] = await holds();
  });

  it('is released by the operator, and its timer leaves it alone', async () => {
    expect((await admin(`${hold.id}/release`)).body.data).toMatchObject({ amount: '40.00', status: 'Closed' });
    expect(await balance()).toEqual({ available: '40.00', held: '0.00', blocked: '0.00' });
    await followed(edge.database);
    // Its row is still there, which verification takes for no difference.
    const { stdout } = await runLedger(['verify'], { DATABASE_URL: edge.database.url });
    expect(stdout).toContain('OK: nothing diverges');
    const soon = await edge.database.query('update work set due_at = now() where id = $1 returning id', [hold.id]);
    expect(soon).toHaveLength(1);
    await eventually(async () => {
      const rows = await edge.database.query('select from work where id = $1', [hold.id]);
      return rows.length === 0;
    });
    expect((await eventsOf(hold.id)).map(({ type, actor }) => [type, actor.split(':')[0]])).toEqual([
      ['HoldPlaced', 'rail'],
      ['HoldReleased', 'operator'],
    ]);
  });

  it('is sent back to its payer, once under one key, and counts with the refunds of the deposit', async () => {
    const part = await admin(`${hold.id}/return`, { amount: '15.00' }, { 'idempotency-key': 'k' });
    expect(part).toMatchObject({ status: 201, body: { statusCode: 'Incomplete' } });
    const { transaction } = part.body.data;
    expect(transaction).toMatchObject({ type: 'Refund', refundOf: id, amount: '15.00', state: 'Registered' });
    const again = await admin(`${hold.id}/return`, { amount: '15.00' }, { 'idempotency-key': 'k' });
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([part.body, 'true']);
    await edge.reaches(transaction.id, 'Completed');
    expect(await balance()).toEqual({ available: '0.00', held: '0.00', blocked: '25.00' });
    expect(refusal(await admin(`${hold.id}/return`, { amount: '25.01' }))).toEqual([422, 'HoldExceeded']);
    const rest = await admin(`${hold.id}/return`, { code: 'MD06' });
    await edge.reaches(rest.body.data.transaction.id, 'Completed');
    expect(await balance()).toEqual({ available: '0.00', held: '0.00', blocked: '0.00' });
    expect(await holds()).toMatchObject([{ returned: '40.00', blocked: '0.00', status: 'Closed' }]);
    expect(refusal(await admin(`${hold.id}/return`))).toEqual([422, 'HoldIsClosed']);
    const sent = await edge.database.query(
      `select sum(r.amount)::int as amount from sandbox.refund_out r join transaction t on t.end_to_end_id = r.end_to_end_id
       where t.id = $1 and r.status = 'Settled'`,
      [id],
    );
    expect(sent).toEqual([{ amount: 4000 }]);
  });

  it('is only looked at by a dry run, which tells what the return then does', async () => {
    const events = async () => (await edge.database.query('select count(*)::int from event'))[0];
    const before = await events();
    const dry = await admin(`${hold.id}/return?dryRun=true`, { amount: '15.00' }, { 'idempotency-key': 'dry' });
    const after = { available: '0.00', held: '15.00', blocked: '25.00' };
    expect(dry).toMatchObject({ status: 200, body: { data: { dryRun: true, replayed: false, balance: after } } });
    expect(refusal(await admin(`${hold.id}/return?dryRun=true`, { amount: '40.01' }))).toEqual([422, 'HoldExceeded']);
    expect((await admin(`${hold.id}/return?dryRun=maybe`)).status).toBe(400);
    expect(await balance()).toEqual({ available: '0.00', held: '0.00', blocked: '40.00' });
    expect(await events()).toEqual(before);
    await edge.behave({ refunds: 'hold' });
    const run = await admin(`${hold.id}/return`, { amount: '15.00' }, { 'idempotency-key': 'dry' });
    expect([run.status, run.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(await balance()).toEqual(after);
  });

  it('cannot be refunded by the partner, and what it refunds of other money is not returned again', async () => {
    const refund = (amount: string) => edge.api.post(`/accounts/pix/cashin/${id}/refunds`, { amount });
    expect(refusal(await refund('10.00'))).toEqual([422, 'CustomerAccountInsufficientFunds']);
    await operator.post(`/accounts/${uid}/credits`, { amount: '30.00', reason: 'Teste' });
    await edge.reaches((await refund('30.00')).body.data.transaction.id, 'Completed');
    expect(refusal(await admin(`${hold.id}/return`, { amount: '10.01' }))).toEqual([422, 'RefundExceedsOriginal']);
    const rest = await admin(`${hold.id}/return`);
    expect(rest.body.data.transaction.amount).toBe('10.00');
    expect(await holds()).toMatchObject([{ blocked: '30.00', returned: '10.00', status: 'Open' }]);
    expect(refusal(await admin(`${hold.id}/return`))).toEqual([422, 'RefundExceedsOriginal']);
  });

  it('is blocked again where the rail refuses the return', async () => {
    await edge.behave({ refunds: 'hold' });
    const { transaction } = (await admin(`${hold.id}/return`)).body.data;
    expect(await balance()).toEqual({ available: '0.00', held: '40.00', blocked: '0.00' });
    expect(await holds()).toMatchObject([{ returned: '40.00', status: 'Closed' }]);
    await eventually(async () => (await edge.force(transaction.id, 'fail')).status === 200);
    await edge.reaches(transaction.id, 'Error');
    expect(await balance()).toEqual({ available: '0.00', held: '0.00', blocked: '40.00' });
    expect(await holds()).toMatchObject([{ returned: '0.00', blocked: '40.00', status: 'Open' }]);
    const { body } = await admin(`${hold.id}/return`, { amount: '10.00' });
    await eventually(async () => (await edge.force(body.data.transaction.id, 'complete')).status === 200);
    await edge.reaches(body.data.transaction.id, 'Completed');
    expect(await balance()).toEqual({ available: '0.00', held: '0.00', blocked: '30.00' });
    expect((await eventsOf(hold.id)).map(({ type, data }) => [type, data.amount])).toEqual([
      ['HoldPlaced', '4000'],
      ['HoldDrawn', '4000'],
      ['HoldRestored', '4000'],
      ['HoldDrawn', '1000'],
    ]);
  });

  it('comes before an older hold that waits, which gets what is released', async () => {
    const order = { amount: '60.00', cause: 'Judicial', reference: 'R-1', retryUntil: '2100-01-01' };
    const judicial = await operator.post(`/accounts/${uid}/holds`, order);
    const later = await deposit('50.00');
    const [cautionary] = (await holds()).filter(({ depositId }: any) => depositId === later);
    expect(await holds()).toMatchObject([{ blocked: '50.00' }, { id: judicial.id, blocked: '0.00' }, {}]);
    await admin(`${cautionary.id}/release`);
    expect(await holds()).toMatchObject([{ status: 'Closed' }, { id: judicial.id, blocked: '50.00' }, {}]);
    expect(await balance()).toMatchObject({ available: '0.00' });
  });

  it('of another account, or placed by an order, is not returned', async () => {
    const order = { amount: '1.00', cause: 'Cautionary', reference: 'R-1' };
    const placed = await operator.post(`/accounts/${uid}/holds`, order);
    expect(refusal(await admin(`${placed.id}/return`))).toEqual([422, 'HoldIsOfNoDeposit']);
    for (const path of [`${uid}/return`, 'nothing/return']) expect((await admin(path)).status).toBe(404);
    uid = company;
    expect((await admin(`${hold.id}/return`)).status).toBe(404);
  });
});

describe('a report of fraud (MED) about a deposit that a rule blocks', () => {
  /** Each hold of the account, newest first. */
  const blocked = async () => (await holds()).map(({ cause, blocked }: any) => `${cause} ${blocked}`);

  /** The case of a new deposit of 100.00, which a rule blocks, and the hold of the rule. */
  async function reported(amount: string) {
    await addRule({ amountAbove: '0.00' });
    const id = await deposit('100.00');
    const hold = (await holds()).find(({ depositId }: any) => depositId === id);
    const { endToEndId } = await edge.transaction(id);
    await edge.sandbox('POST', '/infractions', { endToEndId, amount, reason: 'Scam' });
    const opened = await eventually(async () => (await edge.api.get('/med')).body.data.items[0]);
    return { opened, hold };
  }
  const decide = (id: string, decision: string) => operator.post(`/med/${id}/decision`, { decision });
  const credit = (amount: string) => operator.post(`/accounts/${uid}/credits`, { amount, reason: 'Teste' });

  it('takes that money in one commit, and gives that money back', async () => {
    await credit('400.00');
    const { opened, hold } = await reported('100.00');
    expect(await balance()).toEqual({ available: '400.00', held: '0.00', blocked: '100.00' });
    expect(await blocked()).toEqual(['Med 100.00', 'Cautionary 0.00']);
    const [, released, ...others] = await eventsOf(hold.id);
    expect([released, others]).toMatchObject([
      { type: 'HoldReleased', actor: 'rail:sandbox', data: { amount: '10000', closed: true } },
      [],
    ]);
    const together = await edge.database.query<{ type: string }>(
      `select type from event where position >= (select position from event where stream = $1)
         and partition = (select partition from account where uid = $2) order by position limit 3`,
      [`infraction-${opened.id}`, uid],
    );
    expect(together.map(({ type }) => type)).toEqual(['InfractionReported', 'HoldReleased', 'HoldPlaced']);
    await decide(opened.id, 'Agreed');
    await eventually(async () => (await edge.api.get(`/med/${opened.id}`)).body.data.status === 'Closed');
    expect((await edge.api.get(`/med/${opened.id}`)).body.data).toMatchObject({ returned: '100.00' });
    expect(await balance()).toEqual({ available: '400.00', held: '0.00', blocked: '0.00' });
  });

  it('leaves the rule what it does not ask for', async () => {
    const { opened } = await reported('30.00');
    expect(await balance()).toEqual({ available: '0.00', held: '0.00', blocked: '100.00' });
    expect(await blocked()).toEqual(['Med 30.00', 'Cautionary 70.00']);
    await decide(opened.id, 'Rejected');
    expect(await balance()).toEqual({ available: '30.00', held: '0.00', blocked: '70.00' });
  });

  it('comes before an older hold that waits', async () => {
    const order = { amount: '60.00', cause: 'Judicial', reference: 'R-1', retryUntil: '2100-01-01' };
    await operator.post(`/accounts/${uid}/holds`, order);
    const { opened } = await reported('100.00');
    expect(await blocked()).toEqual(['Med 100.00', 'Cautionary 0.00', 'Judicial 0.00']);
    await decide(opened.id, 'Rejected');
    expect(await blocked()).toEqual(['Med 0.00', 'Cautionary 0.00', 'Judicial 60.00']);
  });
});

describe('a rule', () => {
  const refused = async (rule: object) => {
    const path = `/admin${rules()}`;
    const { status, body } = await call(edge.service.url, 'POST', path, { token: ADMIN_TOKEN, body: rule });
    return [status, body.error.details.reason ?? body.error.details.map(({ path: at }: any) => at).sort()];
  };

  it('needs a name and a condition, and each is checked: all faults at once', async () => {
    expect(await refused({})).toEqual([400, ['name']]);
    expect(await refused({ name: 'A' })).toEqual([400, 'RuleWithoutCondition']);
    const timeOfDay = { from: '24:00' };
    expect(
      await refused({ name: '', amountAbove: '-1', payerUnknown: 'yes', payerInstitution: '1', timeOfDay, hours: 73 }),
    ).toEqual([
      400,
      ['amountAbove', 'hours', 'name', 'payerInstitution', 'payerUnknown', 'timeOfDay.from', 'timeOfDay.to'],
    ]);
  });

  it('of another partner, or of nobody, is not found', async () => {
    const rule = await addRule({ payerUnknown: true });
    const stranger = await operator.partner(['1.00']);
    for (const path of [`${rules(stranger.uid)}/${rule.id}`, `${rules()}/nothing`, `${rules('nobody')}/${rule.id}`]) {
      const { status } = await call(edge.service.url, 'POST', `/admin${path}/remove`, { token: ADMIN_TOKEN });
      expect([path, status]).toEqual([path, 404]);
    }
  });

  it('is one of fifty at most', async () => {
    for (let i = 0; i < 50; i++) await addRule({ payerUnknown: true });
    expect(await refused({ name: 'A', payerUnknown: true })).toEqual([422, 'TooManyRules']);
  });
});

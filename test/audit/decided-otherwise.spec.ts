import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type Divergence, divergences } from '../support/ledger-cli.js';
import { PAYER, PixEdge } from '../support/pix-edge.js';
import { asService } from '../support/tamper.js';

/**
 * Somebody with the password of the service's role changes a row for a moment, has something decided on it, and puts it
 * back: it equals the replay again. All rows are changed between one start of the service and the next.
 */
let edge: PixEdge;
let operator: OperatorApi;
let own: string;
let found: readonly Divergence[];

const told = (id: string) =>
  found.filter(({ check, subject }) => check.startsWith('decisions on') && subject?.endsWith(id));

async function deposit(amount: string, payer: object = {}): Promise<Paid> {
  const { id, qrCode } = await edge.cashIn(amount);
  await edge.pay(qrCode, payer);
  const { endToEndId } = await edge.reaches(id, 'Completed');
  return { id, endToEndId };
}

/** A payment, and its name at the rail. */
interface Paid {
  readonly id: string;
  readonly endToEndId: string;
}

interface Blocked {
  readonly hold: string;
  readonly of: Paid;
  readonly other: Paid;
}

/** Money that a rule blocked, and another deposit. */
async function blocked(): Promise<Blocked> {
  const other = await deposit('150.00', { ...PAYER, name: 'Comparsa', taxNumber: '11144477735' });
  await operator.post(`/partners/${edge.partner.uid}/cautionary-rules`, {
    ...{ name: 'R', amountAbove: '100.00', companies: true },
  });
  const of = await deposit('150.00');
  const [{ id: hold }] = (await edge.api.get(`/accounts/${own}/holds`)).body.data.items;
  return { hold, of, other };
}

const returnsOf = ({ endToEndId }: { readonly endToEndId: string }) =>
  edge.database.query('select amount from sandbox.refund_out where end_to_end_id = $1', [endToEndId]);

let held: Blocked;
let charge: string;
let anothers: { readonly named: string; readonly person: string };
let sent: { readonly small: Paid; readonly large: Paid };
/** Whose available money, whose waiting hold, and whose status is another for a moment. */
let poor: TestPartner, waiting: TestPartner, frozen: TestPartner;
/** Whose orders are unique. */
let once: TestPartner;

beforeAll(async () => {
  edge = await PixEdge.start();
  operator = new OperatorApi(edge.service.url);
  own = edge.partner.accounts[0]!;
  held = await blocked();
  sent = { small: await payout('10.98'), large: await payout('500.98') };
  [poor, waiting, frozen, once] = [
    await operator.partner(['100.00', '0.00']),
    await operator.partner(['0.00']),
    await operator.partner(['100.00', '0.00']),
    await operator.partner(['100.00']),
  ];
  await placeHold(waiting, { amount: '50.00', retryUntil: '2100-01-01T00:00:00.000Z' });
  await operator.post(`/accounts/${frozen.accounts[0]}/deactivate`, { reason: 'a court order' });
  await operator.patch(`/partners/${once.uid}/settings`, { uniqueOrderIds: true });
  await edge.killAndRestart();
  operator = new OperatorApi(edge.service.url);
}, 60_000);

beforeAll(async () => {
  await returnBlocked();
  await findNothing();
  await creditWaiting();
  await transferFrozen();
  await failAnother();
  await expireEarly();
  await payAnothers();
  await payTwice();
  found = await divergences(edge.database, '--deep');
}, 90_000);

afterAll(() => edge?.stop());

async function returnBlocked(): Promise<void> {
  const { hold, of, other } = held;
  await asService(edge.database, `update hold set deposit_id = '${other.id}' where id = '${hold}'`);
  await operator.post(`/accounts/${own}/holds/${hold}/return`, { code: 'FR01' });
  await eventually(async () => (await returnsOf(of)).length > 0);
  await asService(edge.database, `update hold set deposit_id = '${of.id}' where id = '${hold}'`);
}

const placeHold = ({ accounts }: TestPartner, order: object) =>
  operator.post(`/accounts/${accounts[0]}/holds`, { cause: 'Judicial', reference: 'R1', ...order });

/** Rows are read anew, as after a rebuild that corrected some. First, as lanes lock a head before its rows. */
const reread = `update log_head set corrections = corrections + 1`;

async function whileAccountIs({ accounts }: TestPartner, column: string, row: string, done: () => Promise<unknown>) {
  const uid = accounts[0]!;
  const [before] = await edge.database.query(`select ${column}::text as was from account where uid = $1`, [uid]);
  const set = (value: string) =>
    asService(edge.database, `${reread}; update account set ${column} = ${value} where uid = '${uid}'`);
  await set(row);
  await done();
  await set(`'${String(before!.was)}'`);
}

const transfer = async ({ accounts, credentials }: TestPartner) => {
  const answer = await (await PartnerApi.login(edge.service.url, credentials)).transfer(accounts[1]!, '100.00');
  expect(answer.status).toBe(201);
};

/** An order of a court finds nothing to block; afterwards the money is moved away. */
async function findNothing(): Promise<void> {
  await whileAccountIs(poor, 'available', '0', async () => {
    expect(await placeHold(poor, { amount: '100.00' })).toMatchObject({ blocked: '0.00', status: 'Closed' });
  });
  await transfer(poor);
}

async function creditWaiting(): Promise<void> {
  await whileAccountIs(waiting, 'filling', 'null', () =>
    operator.post(`/accounts/${waiting.accounts[0]}/credits`, { amount: '50.00', reason: 'Test' }),
  );
}

async function transferFrozen(): Promise<void> {
  await whileAccountIs(frozen, 'status', `'Active'`, () => transfer(frozen));
}

/** The rail refuses the small one, by its identifier, which is the large one's for a moment. */
async function failAnother(): Promise<void> {
  const { small, large } = sent;
  const is = (id: string, endToEndId: string) =>
    `update transaction set end_to_end_id = '${endToEndId}' where id = '${id}'`;
  const swap = (one: string, other: string) =>
    asService(edge.database, [reread, is(large.id, 'x'), is(small.id, one), is(large.id, other)].join(';'));
  await swap(large.endToEndId, small.endToEndId);
  await edge.force(large.id, 'fail');
  await eventually(() => edge.service.output().includes('has an identifier that its events do not have'));
  await swap(small.endToEndId, large.endToEndId);
  await edge.reaches(small.id, 'Error', 20_000);
  await edge.force(large.id, 'complete');
  await edge.reaches(large.id, 'Completed', 20_000);
}

async function expireEarly(): Promise<void> {
  ({ id: charge } = await edge.cashIn('33.00', { expiresIn: 86_400 }));
  const waiting = () => edge.database.query('select due_at > now() as waits from work where id = $1', [charge]);
  await eventually(async () => (await waiting()).length === 1);
  await asService(edge.database, `update work set due_at = now() where id = '${charge}'`);
  await eventually(async () => (await waiting())[0]?.waits);
}

/** Who is to pay is a person, or nobody in particular: a name is not compared. */
async function payAnothers(): Promise<void> {
  const named = await edge.cashIn('12.00', { payer: { name: 'Maria da Silva' } });
  const person = await edge.cashIn('12.00', { payer: { name: 'Maria da Silva', cpf: '11144477735' } });
  anothers = { named: named.id, person: person.id };
  const sql = `select (details ->> 'expectedPayer')::text as expected from transaction where id = $1`;
  const [row] = await edge.database.query(sql, [person.id]);
  const set = (details: string) =>
    asService(edge.database, `update transaction set details = (${details})::json where id = '${person.id}'`);
  await set(`details::jsonb - 'expectedPayer'`);
  for (const { id, qrCode } of [named, person]) {
    await edge.pay(qrCode, PAYER);
    await edge.reaches(id, 'Completed');
  }
  await set(`jsonb_set(details::jsonb, '{expectedPayer}', '${row!.expected as string}')`);
}

const pay = async () =>
  (await PartnerApi.login(edge.service.url, once.credentials)).post('/accounts/pix/cashout', {
    payment: { value: '1.98', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '11144477735' } },
    transaction: { orderId: 'order-7' },
    webhook: { url: 'http://127.0.0.1:65535/hook' },
  });

/** An order whose row has another identifier for a moment. */
async function payTwice(): Promise<void> {
  expect([(await pay()).status, (await pay()).status]).toEqual([201, 409]);
  const [uid] = once.accounts;
  const [row] = await edge.database.query('select id from transaction where account_uid = $1', [uid]);
  const set = (orderId: string) =>
    asService(edge.database, `${reread}; update transaction set order_id = '${orderId}' where id = '${row!.id}'`);
  await set('another');
  expect((await pay()).status).toBe(201);
  await set('order-7');
}

/** A payout that waits at the rail until it is forced. */
async function payout(value: string): Promise<Paid> {
  const id = await edge.cashOut(value);
  const { endToEndId } = await edge.transaction(id);
  const sql = 'select from sandbox.payment_out where end_to_end_id = $1';
  await eventually(async () => (await edge.database.query(sql, [endToEndId])).length > 0);
  return { id, endToEndId };
}

describe('what is decided while rows are changed and put back', () => {
  it('gives blocked money back to the payer who brought it, and verify tells of the hold', async () => {
    const { of, other, hold } = held;
    expect([await returnsOf(of), await returnsOf(other)]).toEqual([[{ amount: '15000' }], []]);
    expect(told(hold)).toMatchObject([{ field: 'hold.depositId' }]);
  });

  it('blocks nothing of what an account has: verify tells of the hold', () => {
    expect(told(poor.accounts[0]!)).toMatchObject([{ field: 'filled', expected: '10000', found: '0' }]);
  });

  it('keeps what came in from a hold that waits: verify tells of the credit', () => {
    const subject = `AccountCredited of ${waiting.accounts[0]}`;
    expect(found.filter(({ check }) => check === 'credits of waiting holds')).toMatchObject([
      { subject, expected: '5000 for holds that wait' },
    ]);
  });

  it('moves money of an account that is not active: verify tells of the transfer', () => {
    const account = frozen.accounts[0]!;
    expect(told(account)).toMatchObject([
      { subject: `TransferSettled of ${account}`, field: 'status', found: 'Inactive' },
    ]);
  });

  it('gives no money back for a payout that the rail did not refuse', () => {
    expect([...told(sent.small.id), ...told(sent.large.id)]).toEqual([]);
  });

  it('closes no charge before its time', async () => {
    expect(await edge.transaction(charge)).toMatchObject({ state: 'Registered' });
    expect(found.filter(({ subject }) => subject?.includes(charge))).toEqual([]);
  });

  it('pays an order a second time: verify tells of it', () => {
    expect(told(`${once.accounts[0]}/order-7`)).toMatchObject([{ field: 'orderId', found: 'order-7' }]);
  });

  it('takes a deposit from another than was to pay it: verify tells of its payer', () => {
    const subjects = found.filter(({ check }) => check === 'payers of deposits').map(({ subject }) => subject);
    expect(subjects).toEqual([`CashInCompleted of ${anothers.person}`]);
  });
});

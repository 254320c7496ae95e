import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { followed } from '../support/followed.js';
import { divergences } from '../support/ledger-cli.js';
import { PAYER, PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';
import { asService } from '../support/tamper.js';
import { timerRuns } from '../support/timers.js';

/**
 * Somebody with the password of the service's role changes rows of cases of the MED and of recoveries, has something
 * decided or told, and puts them back. What is done is what the events say, or nothing.
 */
let edge: PixEdge;
let own: string;

/** A deposit, its report at the rail, and its case. */
interface Reported {
  readonly depositId: string;
  readonly endToEndId: string;
  readonly report: string;
  readonly id: string;
}
let agreed: Reported,
  emptied: Reported,
  open: Reported,
  whole: Reported,
  kept: Reported,
  takenBack: Reported,
  rejected: Reported;
let accomplice: { readonly id: string; readonly endToEndId: string };
let recovery: string, recovered: string;
/** How the request of more than a payout paid is answered. */
let more: Awaited<ReturnType<typeof call>>;
/** A transfer. */
let unrelated: string;
/** How the operator's release of the hold of the case that is open is answered. */
let released: Awaited<ReturnType<typeof call>>;

beforeAll(async () => {
  edge = await PixEdge.start();
  own = edge.partner.accounts[0]!;
  accomplice = await deposit('40.00', { name: 'Comparsa', taxNumber: '11144477735' });
  [agreed, open, whole] = [await reported('40.00'), await reported('90.00'), await reported('30.00')];
  [kept, takenBack, rejected] = [await reported('45.00'), await reported('1.00'), await reported('9.00')];
  emptied = await reported('12.00');
  const payouts = [await edge.cashOut('5.00'), await edge.cashOut('7.00')];
  const [asked, other] = [await edge.reaches(payouts[0]!, 'Completed'), await edge.reaches(payouts[1]!, 'Completed')];
  await areDone('med-wake');
  // A notification that is made later would have what the rows say by then.
  await followed(edge.database);

  // Nothing is told while no worker runs.
  edge.env.ROLE = 'api';
  await edge.killAndRestart();
  recovered = asked.endToEndId;
  const words = { reason: 'Scam', details: 'Golpe' };
  recovery = (await edge.api.post(`/accounts/pix/cashout/${payouts[0]}/recovery`, words)).body.data.id;
  expect((await decide(rejected, 'Rejected')).status).toBe(200);
  expect((await decide(emptied, 'Agreed')).status).toBe(200);
  unrelated = (await edge.api.transfer(edge.partner.accounts[1]!, '1.00')).body.data.id;
  const putBack = await change(other.endToEndId, payouts[1]!);

  // A process that has not read the rows yet reads them as they are now.
  edge.env.ROLE = 'all';
  await edge.killAndRestart();
  expect((await decide(agreed, 'Agreed')).status).toBe(200);
  released = await admin(`/accounts/${own}/holds/${(await caseOf(open)).holdId}/release`, {});
  more = await edge.api.post(`/accounts/pix/cashout/${payouts[1]}/recovery`, words);
  await edge.sandbox('POST', `/infractions/${takenBack.report}/cancel`);
  await eventually(async () => (await caseOf(agreed)).status === 'Closed');
  await eventually(async () => isLogged(noSuchRefund()) || (await caseOf(whole)).status !== 'Open');
  await areDone('med-wake', open);
  await eventually(async () => (await count('InfractionAnswered')) >= 2);
  await eventually(async () => isLogged(undecided(open)) || (await statusAtRail(open)) !== 'Open');
  await eventually(async () => isLogged(otherReport(kept)) || (await caseOf(kept)).status !== 'Open');
  await eventually(async () => (await atRail()).length > 0);
  await eventually(async () => (await isPutOff(emptied)) || (await caseOf(emptied)).status !== 'Agreed');
  await putBack();
  await edge.database.query('update work set due_at = now() where subject = $1', [emptied.id]);
  await areDone('med-wake');
}, 120_000);
afterAll(() => edge?.stop());

const undecided = ({ id }: Reported) => `nobody decided about infraction ${id}`;
const otherReport = ({ id }: Reported) => `The row of infraction ${id} contradicts its events`;
const noSuchRefund = () => `the log has no transaction ${unrelated}`;
const isLogged = (text: string) => edge.service.output().includes(text);

async function deposit(amount: string, payer: object = PAYER): Promise<{ id: string; endToEndId: string }> {
  const { id, qrCode } = await edge.cashIn(amount);
  await edge.pay(qrCode, payer);
  const { endToEndId } = await edge.reaches(id, 'Completed');
  return { id, endToEndId };
}

async function reported(amount: string): Promise<Reported> {
  const { id: depositId, endToEndId } = await deposit(amount);
  const told = await edge.sandbox('POST', '/infractions', { endToEndId, reason: 'Scam', details: 'Golpe' });
  const report = told.body.data.id as string;
  const [row] = await eventually(async () => {
    const rows = await edge.database.query('select id from infraction where rail_id = $1', [report]);
    return rows.length > 0 && rows;
  });
  return { depositId, endToEndId, report, id: row!.id as string };
}

const admin = (path: string, body: object) =>
  call(edge.service.url, 'POST', `/admin${path}`, { token: ADMIN_TOKEN, body });
const decide = ({ id }: Reported, decision: string) => admin(`/med/${id}/decision`, { decision });
const caseOf = async ({ id }: Reported) => (await edge.api.get(`/med/${id}`)).body.data;
const areDone = (kind: string, of?: Reported) =>
  eventually(async () => {
    const text = 'select from work where kind = $1 and subject = coalesce($2, subject)';
    return (await edge.database.query(text, [kind, of?.id ?? null])).length === 0;
  });
const isPutOff = async ({ id }: Reported) => {
  const text = `select from work where kind = 'med-wake' and subject = $1 and attempts > 0 and leased_until is null`;
  return (await edge.database.query(text, [id])).length > 0;
};
const count = async (type: string) => (await edge.database.query('select from event where type = $1', [type])).length;
const atRail = () => edge.database.query('select end_to_end_id, amount from sandbox.recovery');
const statusAtRail = async ({ report }: Reported) =>
  (await edge.sandbox('GET', `/infractions/${report}`)).body.data.status as string;
const returnsOf = (endToEndId: string) =>
  edge.database.query('select amount from sandbox.refund_out where end_to_end_id = $1', [endToEndId]);

/** @returns what puts all rows back */
async function change(other: string, payout: string): Promise<() => Promise<unknown>> {
  const redirect = ({ id, endToEndId }: { id: string; endToEndId: string }) =>
    `update infraction set transaction_id = '${id}', end_to_end_id = '${endToEndId}' where id = '${agreed.id}'`;
  const swap = (one: Reported, two: Reported) => `
    update infraction set rail_id = case id when '${kept.id}' then '${one.report}' else '${two.report}' end
    where id in ('${kept.id}', '${takenBack.id}')`;
  const status = (text: string) => `update infraction set status = '${text}' where id = '${open.id}'`;
  const decided = (amount: string) => `update infraction set agreed = ${amount} where id = '${rejected.id}'`;
  const asks = (endToEndId: string, amount: number) =>
    `update recovery set end_to_end_id = '${endToEndId}', amount = ${amount} where id = '${recovery}'`;
  const paid = (amount: number) => `update transaction set amount = ${amount} where id = '${payout}'`;
  const refunds = (given: string, before: string) => `
    update transaction set details = replace(details::text, '"refunded":"${before}"', '"refunded":"${given}"')::json
    where id = '${whole.depositId}'`;
  const refund = `
    update transaction set refund_of = '${whole.depositId}', amount = 3000,
      order_id = (select order_id from transaction where id = '${whole.depositId}')
    where id = '${unrelated}'`;
  const noRefund = `update transaction set refund_of = null, amount = 100, order_id = null where id = '${unrelated}'`;
  const held = (status: string, filled: number) => `
    update hold set status = '${status}', filled = ${filled} where reference = '${emptied.id}'`;
  const work = ({ id }: Reported, kind: string, payload: unknown) => `
    insert into work (partition, id, kind, subject, payload, due_at)
      select partition, gen_random_uuid(), '${kind}', id, '${JSON.stringify(payload)}', now()
      from infraction where id = '${id}'`;
  const changed = [
    [redirect(accomplice), redirect({ ...agreed, id: agreed.depositId })],
    [status('Cancelled'), status('Open')],
    [refund, noRefund],
    [refunds('3000', '0'), refunds('0', '3000')],
    [swap(takenBack, kept), swap(kept, takenBack)],
    [held('Closed', 0), held('Open', 1200)],
    [decided('900'), decided('null')],
    [asks(other, 700), asks(recovered, 500)],
    [paid(900), paid(700)],
    [work(open, 'med-answer', 'Decision'), `delete from work where subject = '${open.id}' and kind = 'med-answer'`],
  ];
  const wakes = [open, whole].map((one) => work(one, 'med-wake', { of: 'Infraction' }));
  await asService(edge.database, [...changed.map(([sql]) => sql), ...wakes].join(';'));
  // The head first, as lanes lock it before its rows.
  const back = ['update log_head set corrections = corrections + 1', ...changed.map(([, sql]) => sql)];
  return () => asService(edge.database, back.join(';'));
}

describe('while rows of cases and recoveries are changed and put back,', () => {
  it('the money of a case goes back to the payer of its deposit', async () => {
    expect(await returnsOf(agreed.endToEndId)).toEqual([{ amount: '4000' }]);
    expect(await returnsOf(accomplice.endToEndId)).toEqual([]);
  });

  it('a case that nobody decided about releases nothing, by a step of its own or an order of an operator', async () => {
    expect(released).toMatchObject({ status: 422, body: { error: { details: { reason: 'HoldIsOfCase' } } } });
    expect(await caseOf(open)).toMatchObject({ status: 'Open', blocked: '90.00' });
  });

  it('a case of whose deposit nothing was given back is not closed as if it had been', async () => {
    expect(await caseOf(whole)).toMatchObject({ status: 'Open', blocked: '30.00' });
  });

  it('a case whose hold is said to be empty is not closed, and its money goes back once the rows are as they were', async () => {
    await eventually(async () => (await caseOf(emptied)).status === 'Closed');
    expect(await returnsOf(emptied.endToEndId)).toEqual([{ amount: '1200' }]);
  });

  it('a case is not taken back in the place of another one, which is, once the rows are as they were', async () => {
    expect(await caseOf(kept)).toMatchObject({ status: 'Open', blocked: '45.00' });
    expect(isLogged(otherReport(kept))).toBe(true);
    await timerRuns(edge.database, 'med-sweep');
    await eventually(async () => (await caseOf(takenBack)).status === 'Cancelled');
    expect(await edge.api.balance(own)).toMatchObject({ blocked: '165.00' });
  });

  it('the rail is told of the decision that was made, and of the payout whose money is asked for', async () => {
    expect(await statusAtRail(rejected)).toBe('Rejected');
    expect(await statusAtRail(open)).toBe('Open');
    expect(isLogged(undecided(open))).toBe(true);
    expect(await atRail()).toEqual([{ end_to_end_id: recovered, amount: '500' }]);
  });

  it('no more is asked for than a payout paid', () => {
    expect(more).toMatchObject({ status: 503, body: { error: { message: expect.stringContaining('contradicts') } } });
  });

  it('verify tells of an event that has been made of such a row, and of no other', async () => {
    expect(await divergences(edge.database)).toMatchObject([
      { check: 'decisions on infractions', subject: `MedReturnCompleted of ${agreed.id}`, field: 'transactionId' },
    ]);
  }, 60_000);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-cli.js';
import { PixEdge } from '../support/pix-edge.js';

/**
 * Somebody with the password of the service's role changes the row of a payment that is under way, has it end, and puts
 * the row back: it equals the replay again. The events do not fit one another.
 */
let edge: PixEdge;
let own: string, sibling: string;

beforeAll(async () => {
  edge = await PixEdge.start();
  [own, sibling] = edge.partner.accounts as [string, string];
}, 60_000);
afterAll(() => edge?.stop());

/** As the service's role, which needs no right more than it has. */
const asService = (sql: string) =>
  edge.database.query(`begin; set local role payments_service; ${sql}; commit`) as Promise<unknown>;

/** A process that has not read the row yet decides on what it is now. */
async function whileRowIs(id: string, changed: string, back: string, done: () => Promise<unknown>): Promise<void> {
  await edge.killAndRestart();
  await asService(`update transaction set ${changed} where id = '${id}'`);
  await done();
  await asService(`update transaction set ${back} where id = '${id}'`);
  await asService(`update webhook_delivery set account_uid = '${own}' where transaction_id = '${id}'`);
}

interface Divergence {
  readonly check: string;
  readonly subject: string | null;
}

async function divergences(): Promise<Divergence[]> {
  const { stdout } = await runLedger(['verify', '--json'], { DATABASE_URL: edge.database.url });
  return JSON.parse(stdout).divergences;
}

async function contradictions(id: string): Promise<Divergence[]> {
  return (await divergences()).filter(
    ({ check, subject }) => check.startsWith('decisions on') && subject?.endsWith(id),
  );
}

/** The rail has it: it waits there until it is forced. */
async function isSent(id: string): Promise<void> {
  const { endToEndId } = await edge.transaction(id);
  const sql = `
    select from sandbox.payment_out where end_to_end_id = $1 union all
    select from sandbox.refund_out where return_id = $1`;
  await eventually(async () => (await edge.database.query(sql, [endToEndId])).length > 0);
}

const inState = async (state: string, id: string) => {
  const [row] = await edge.database.query('select from transaction where id = $1 and state = $2', [id, state]);
  return row !== undefined;
};

describe('verify', () => {
  it('tells nothing of payments whose rows nobody changes', async () => {
    const { id, qrCode } = await edge.cashIn('60.00');
    await edge.pay(qrCode);
    await edge.reaches(id, 'Completed');
    await edge.reaches(await edge.cashOut('10.00'), 'Completed');
    expect(await divergences()).toEqual([]);
  }, 60_000);

  it('tells of a payout that failed, of which more became available than was held', async () => {
    // What another one holds is what becomes available; both wait until they are forced.
    await edge.cashOut('100.98');
    const id = await edge.cashOut('10.98');
    await isSent(id);
    await whileRowIs(id, 'amount = 5000', 'amount = 1098', async () => {
      await edge.force(id, 'fail');
      await eventually(() => inState('Error', id));
    });
    expect(await contradictions(id)).toMatchObject([{ subject: `CashOutErrored of ${id}`, field: 'postings' }]);
  }, 60_000);

  it('tells of a deposit that was credited to another account', async () => {
    const { id, qrCode } = await edge.cashIn('70.00');
    await whileRowIs(id, `account_uid = '${sibling}'`, `account_uid = '${own}'`, async () => {
      await edge.pay(qrCode);
      await eventually(() => inState('Completed', id));
    });
    expect(await contradictions(id)).toMatchObject([{ subject: `CashInCompleted of ${id}`, field: 'postings' }]);
  }, 60_000);

  it('tells of a refund that took more than was held for it', async () => {
    const { id: deposit, qrCode } = await edge.cashIn('80.00');
    await edge.pay(qrCode);
    await edge.reaches(deposit, 'Completed');
    await edge.behave({ refunds: 'hold' });
    const { body } = await edge.api.post(`/accounts/pix/cashin/${deposit}/refunds`, { amount: '5.00' });
    const { id } = body.data.transaction;
    await isSent(id);
    await whileRowIs(id, 'amount = 100', 'amount = 500', async () => {
      await edge.force(id, 'complete');
      await eventually(() => inState('Completed', id));
    });
    expect(await contradictions(id)).toMatchObject([{ subject: `RefundCompleted of ${id}`, field: 'amount' }]);
  }, 60_000);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-cli.js';
import { PAYER, PixEdge } from '../support/pix-edge.js';

/**
 * Somebody with the password of the service's role changes a row for a moment, has something decided on it, and puts it
 * back: it equals the replay again. All rows are changed between one start of the service and the next.
 */
let edge: PixEdge;
let operator: OperatorApi;
let own: string;
let found: readonly { readonly check: string; readonly subject: string | null; readonly field: string }[];

/** As the service's role, which needs no right more than it has. */
const asService = (sql: string) =>
  edge.database.query(`begin; set local role payments_service; ${sql}; commit`) as Promise<unknown>;
const told = (id: string) =>
  found.filter(({ check, subject }) => check.startsWith('decisions on') && subject?.endsWith(id));

async function deposit(amount: string, payer: object = {}): Promise<{ id: string; endToEndId: string }> {
  const { id, qrCode } = await edge.cashIn(amount);
  await edge.pay(qrCode, payer);
  const { endToEndId } = await edge.reaches(id, 'Completed');
  return { id, endToEndId };
}

interface Blocked {
  readonly hold: string;
  readonly of: { readonly id: string; readonly endToEndId: string };
  readonly other: { readonly id: string; readonly endToEndId: string };
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

beforeAll(async () => {
  edge = await PixEdge.start();
  operator = new OperatorApi(edge.service.url);
  own = edge.partner.accounts[0]!;
  held = await blocked();
  await edge.killAndRestart();
  operator = new OperatorApi(edge.service.url);
}, 60_000);

beforeAll(async () => {
  await returnBlocked();
  const { stdout } = await runLedger(['verify', '--json', '--deep'], { DATABASE_URL: edge.database.url });
  found = JSON.parse(stdout).divergences;
}, 90_000);

afterAll(() => edge?.stop());

async function returnBlocked(): Promise<void> {
  const { hold, of, other } = held;
  await asService(`update hold set deposit_id = '${other.id}' where id = '${hold}'`);
  await operator.post(`/accounts/${own}/holds/${hold}/return`, { code: 'FR01' });
  await eventually(async () => (await edge.api.balance(own)).held === '0.00');
  await asService(`update hold set deposit_id = '${of.id}' where id = '${hold}'`);
}

describe('what is decided while rows are changed and put back', () => {
  it('gives blocked money back to the payer who brought it, and verify tells of the hold', async () => {
    const { of, other, hold } = held;
    expect([await returnsOf(of), await returnsOf(other)]).toEqual([[{ amount: '15000' }], []]);
    expect(told(hold)).toMatchObject([{ field: 'hold.depositId' }]);
  });
});

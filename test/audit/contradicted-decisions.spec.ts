import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Divergence, divergences } from '../support/ledger-cli.js';
import { type Service, startService } from '../support/service.js';

interface Way {
  /** What the operator rules about the partner and its account. */
  readonly rule: (account: string, partner: string) => Promise<unknown>;
  /** How the row of the account is changed. */
  readonly row: string;
  /** Nobody asks for a payout before, and the row stays as the payout has left it. */
  readonly stays?: boolean;
}

const RAISED = `payout_limits = jsonb_set(payout_limits::jsonb, '{terms,payment}', '{"value": "90000"}')::json`;
/** Each is another partner's: all are done between one start of the service and the next, and verified at once. */
const WAYS = {
  lifted: {
    rule: (account) => operator.patch(`/accounts/${account}/limits`, { day: '5.00', night: '5.00' }),
    row: 'payout_limits = null',
  },
  raised: {
    rule: (account) => operator.patch(`/accounts/${account}/limits`, { payment: '5.00' }),
    row: RAISED,
  },
  active: {
    rule: (account) => operator.post(`/accounts/${account}/deactivate`, { reason: 'a court order' }),
    row: `status = 'Active'`,
  },
  follows: {
    rule: async (account, partner) => {
      await operator.patch(`/accounts/${account}/limits`, { payment: '5.00' });
      await operator.patch(`/partners/${partner}/limits`, { month: '90.00' });
    },
    row: RAISED,
    stays: true,
  },
} satisfies Record<string, Way>;
type Name = keyof typeof WAYS;

/** What came of a way. */
interface Outcome {
  readonly partner: TestPartner;
  readonly account: string;
  /** How a payout was answered under the rule, and how while the row was another. */
  readonly answers: number[];
}

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let found: readonly Divergence[];
const outcomes = new Map<Name, Outcome>();

const settings = { LIMIT_RAISE_DELAY_SECONDS: '60' };

beforeAll(async () => {
  database = await createDatabase();
  await start();
}, 60_000);

beforeAll(async () => {
  const ways = Object.entries(WAYS) as [Name, Way][];
  for (const [name, { rule, stays }] of ways) {
    const partner = await operator.partner(['100.00']);
    const account = partner.accounts[0]!;
    await rule(account, partner.uid);
    outcomes.set(name, { partner, account, answers: stays ? [] : [await payOut(partner)] });
  }
  // A process that has not read the rows yet decides on what they are now.
  await service.stop();
  const putBack: (() => Promise<unknown>)[] = [];
  for (const [name, { row, stays }] of ways) {
    const back = await change(outcomes.get(name)!.account, row);
    if (!stays) putBack.push(back);
  }
  await start();
  for (const { partner, answers } of outcomes.values()) answers.push(await payOut(partner));
  for (const back of putBack) await back();
}, 60_000);

beforeAll(async () => {
  found = await divergences(database);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

async function start(): Promise<void> {
  service = await startService(database.url, settings);
  operator = new OperatorApi(service.url);
}

async function payOut({ credentials }: TestPartner): Promise<number> {
  const api = await PartnerApi.login(service.url, credentials);
  const answer = await api.post('/accounts/pix/cashout', {
    payment: {
      value: '50.00',
      recipient: {
        ...{ name: 'Maria Silva', cpf: '11144477735' },
        account: { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' },
      },
    },
    transaction: { orderId: 'order' },
    webhook: { url: 'http://127.0.0.1:65535/hook' },
  });
  return answer.status;
}

/** @returns what puts the row back */
async function change(account: string, sql: string): Promise<() => Promise<unknown>> {
  const [before] = await database.query('select status, payout_limits from account where uid = $1', [account]);
  await database.query(`update account set ${sql} where uid = $1`, [account]);
  return () =>
    database.query('update account set status = $2, payout_limits = $3 where uid = $1', [
      account,
      before!.status,
      JSON.stringify(before!.payout_limits),
    ]);
}

const contradictions = (account: string) =>
  found.filter(({ check, subject }) => check === 'decisions on accounts' && subject?.endsWith(account));

/**
 * Somebody with the password of the service's role changes a row that payouts are decided on, has one accepted, and
 * puts the row back: it equals the replay again. The events are not what the rules allow.
 */
describe('verify tells of a payout that was accepted', () => {
  it('over a limit that was lifted meanwhile', () => {
    const { account, answers } = outcomes.get('lifted')!;
    expect(answers).toEqual([422, 201]);
    expect(contradictions(account)).toMatchObject([
      { subject: `CashOutRegistered of ${account}`, field: 'limitUse', found: 'nothing' },
    ]);
  });

  it('over a limit that was raised meanwhile', () => {
    const { account, answers } = outcomes.get('raised')!;
    expect(answers).toEqual([422, 201]);
    expect(contradictions(account)).toMatchObject([
      { subject: `CashOutRegistered of ${account}`, expected: 'a payout within the limits' },
    ]);
  });

  it('on an account that was active meanwhile', () => {
    const { account, answers } = outcomes.get('active')!;
    expect(answers).toEqual([403, 201]);
    expect(contradictions(account)).toMatchObject([
      { subject: `CashOutRegistered of ${account}`, field: 'status', found: 'Inactive' },
    ]);
  });

  it("by a limit of the account's own that changed as it followed the partner's defaults", () => {
    const { account, answers } = outcomes.get('follows')!;
    expect(answers).toEqual([201]);
    expect(contradictions(account)).toMatchObject([
      { subject: `PayoutLimitsChanged of ${account}`, field: 'terms.payment' },
    ]);
  });
});

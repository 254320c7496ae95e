import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { runLedger } from '../support/ledger-cli.js';
import { type Service, startService } from '../support/service.js';

/**
 * Somebody with the password of the service's role changes a row that payouts are decided on, has one accepted, and puts
 * the row back: it equals the replay again. The events are not what the rules allow.
 */
let database: TestDatabase;
let service: Service;
let operator: OperatorApi;

const settings = { LIMIT_RAISE_DELAY_SECONDS: '60' };

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, settings);
  operator = new OperatorApi(service.url);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

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

/** A process that has not read the row yet decides on what it is now. @returns what puts the row back */
async function forge({ accounts: [account] }: TestPartner, sql: string): Promise<() => Promise<unknown>> {
  await service.stop();
  const [before] = await database.query('select status, payout_limits from account where uid = $1', [account]);
  await database.query(`update account set ${sql} where uid = $1`, [account]);
  service = await startService(database.url, settings);
  operator = new OperatorApi(service.url);
  return async () => {
    await database.query('update account set status = $2, payout_limits = $3 where uid = $1', [
      account,
      before!.status,
      JSON.stringify(before!.payout_limits),
    ]);
  };
}

async function contradictions(account = ''): Promise<Record<string, string>[]> {
  const { stdout } = await runLedger(['verify', '--json'], { DATABASE_URL: database.url });
  const found = JSON.parse(stdout).divergences as Record<string, string>[];
  return found.filter(({ check, subject }) => check === 'decisions on accounts' && subject?.endsWith(account));
}

describe('verify tells of a payout that was accepted', () => {
  it('over a limit that was lifted meanwhile', async () => {
    const partner = await operator.partner(['100.00']);
    const [account] = partner.accounts;
    await operator.patch(`/accounts/${account}/limits`, { day: '5.00', night: '5.00' });
    expect(await payOut(partner)).toBe(422);
    const putBack = await forge(partner, 'payout_limits = null');
    expect(await payOut(partner)).toBe(201);
    await putBack();
    expect(await contradictions(account)).toMatchObject([
      { subject: `CashOutRegistered of ${account}`, field: 'limitUse', found: 'nothing' },
    ]);
  }, 60_000);

  it('over a limit that was raised meanwhile', async () => {
    const partner = await operator.partner(['100.00']);
    const [account] = partner.accounts;
    await operator.patch(`/accounts/${account}/limits`, { payment: '5.00' });
    expect(await payOut(partner)).toBe(422);
    const putBack = await forge(
      partner,
      `payout_limits = jsonb_set(payout_limits::jsonb, '{terms,payment}', '{"value": "90000"}')::json`,
    );
    expect(await payOut(partner)).toBe(201);
    await putBack();
    expect(await contradictions(account)).toMatchObject([
      { subject: `CashOutRegistered of ${account}`, expected: 'a payout within the limits' },
    ]);
  }, 60_000);

  it('on an account that was active meanwhile', async () => {
    const partner = await operator.partner(['100.00']);
    const [account] = partner.accounts;
    await operator.post(`/accounts/${account}/deactivate`, { reason: 'a court order' });
    expect(await payOut(partner)).toBe(403);
    const putBack = await forge(partner, `status = 'Active'`);
    expect(await payOut(partner)).toBe(201);
    await putBack();
    expect(await contradictions(account)).toMatchObject([
      { subject: `CashOutRegistered of ${account}`, field: 'status', found: 'Inactive' },
    ]);
  }, 60_000);

  it("by a limit of the account's own that changed as it followed the partner's defaults", async () => {
    const partner = await operator.partner(['100.00']);
    const [account] = partner.accounts;
    await operator.patch(`/accounts/${account}/limits`, { payment: '5.00' });
    await operator.patch(`/partners/${partner.uid}/limits`, { month: '90.00' });
    await forge(
      partner,
      `payout_limits = jsonb_set(payout_limits::jsonb, '{terms,payment}', '{"value": "90000"}')::json`,
    );
    expect(await payOut(partner)).toBe(201);
    expect(await contradictions(account)).toMatchObject([
      { subject: `PayoutLimitsChanged of ${account}`, field: 'terms.payment' },
    ]);
  }, 60_000);
});

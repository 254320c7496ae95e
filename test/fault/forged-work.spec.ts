import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sample } from '../support/metrics.js';
import { type Service, startService } from '../support/service.js';

/** Rows of work that somebody with the database's password changed: they hold up nothing beside them. */

let database: TestDatabase;
let service: Service;

beforeEach(async () => {
  database = await createDatabase();
  service = await startService(database.url);
});
afterEach(async () => {
  await service.stop();
  await database.drop();
});

const scrape = async () => (await call(service.url, 'GET', '/metrics')).body as string;

/** Payouts whose work waits until the test has it due. */
async function payouts(count: number): Promise<string> {
  await database.query(`
    create function wait() returns trigger language plpgsql as 'begin new.due_at = ''infinity''; return new; end'`);
  await database.query(`
    create trigger waits before insert on work for each row when (new.kind = 'pix-send-payment')
    execute function wait()`);
  const partner = await new OperatorApi(service.url).partner(['100.00']);
  const api = await PartnerApi.login(service.url, partner.credentials);
  for (let n = 0; n < count; n++) {
    const answer = await api.post('/accounts/pix/cashout', {
      payment: { value: '1.00', key: { type: 'EMAIL', value: 'ana@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: `order-${n}` },
      webhook: { url: 'http://127.0.0.1:65535/hook', customHeaderName: 'X-Key', customHeaderValue: 'secret' },
    });
    expect(answer.status).toBe(201);
  }
  await eventually(
    async () => (await database.query(`select from work where kind = 'pix-send-payment'`)).length === count,
  );
  return partner.accounts[0]!;
}

const areMade = (account: string, count: number) =>
  eventually(async () => {
    const rows = await database.query(
      `select from transaction where account_uid = $1 and type = 'CashOut' and state = 'Completed'`,
      [account],
    );
    return rows.length === count;
  });

describe('payouts are made, and alerts see what waits', () => {
  it.each([
    ['was due before all time', '-infinity', 0],
    ['was begun as often as a number can say', '2026-01-01', 2_147_483_647],
  ])('beside one that %s', async (_what, dueAt, attempts) => {
    const account = await payouts(3);
    // In one statement: they are claimed together.
    await database.query(
      `with forged as (select min(id::text)::uuid as id from work where kind = 'pix-send-payment')
       update work set due_at = case when work.id = forged.id then $1::timestamptz else now() end,
         attempts = case when work.id = forged.id then $2::int else 0 end
       from forged where kind = 'pix-send-payment'`,
      [dueAt, attempts],
    );
    await areMade(account, 3);
  });

  it('where work was due before all time', async () => {
    await payouts(1);
    await database.query(`
      update work set due_at = '-infinity', lease = gen_random_uuid(), leased_until = now() + interval '30 seconds'
      where kind = 'pix-send-payment'`);
    const told = await scrape();
    expect(sample(told, 'ledger_work_due', { source: 'pix-send-payment' })).toEqual([1]);
    expect(sample(told, 'ledger_work_oldest_due_seconds', { source: 'pix-send-payment' })[0]).toBeGreaterThan(86_400);
    expect(sample(told, 'ledger_subscription_lag_seconds').length).toBeGreaterThan(0);
  });

  it('where a follower is said to have followed what is not in the log yet: no payout would be sent', async () => {
    const [partition] = await database.query('select max(partition) as number from log_head');
    await database.query(`
      insert into subscription select partition, 'pix-rail', position + 1000 from log_head
      on conflict (partition, consumer) do update set position = excluded.position`);
    const [lag] = sample(await scrape(), 'ledger_subscription_lag_events', {
      ...{ consumer: 'pix-rail', partition: String(partition!.number) },
    });
    expect(lag).toBe(-1000);
    const alerts = await readFile('ops/prometheus/alerts.yml', 'utf8');
    const [, expression] = /alert: FollowerBehind\s+expr: '(.+)'/.exec(alerts)!;
    expect(expression).toContain('min by (consumer) (ledger_subscription_lag_events) < 0');
  });

  it('where the work of one kind cannot be read', async () => {
    await database.query('alter table sandbox.task rename to tasks');
    const told = await scrape();
    expect(sample(told, 'ledger_work_due', { source: 'sandbox' })).toEqual([]);
    expect(sample(told, 'ledger_work_due', { source: 'pix-send-payment' })).toEqual([0]);
    expect(sample(told, 'ledger_subscription_lag_seconds').length).toBeGreaterThan(0);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { MovingClock } from '../support/moving-clock.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { type Service, startService } from '../support/service.js';

/** Less than a token's life, much more than any lease, pause or deadline. */
const JUMP_MS = 50 * 60_000;

let clock: MovingClock;
let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Service;
let receiver: PartnerReceiver;
let partner: TestPartner;
let api: PartnerApi;

const start = () =>
  startService(proxy.url, {
    ...clock.settings,
    WEBHOOK_RETRY_SCHEDULE: ['0s', ...Array<string>(30).fill('500ms')].join(','),
  });
const readiness = async () => (await fetch(`${service.url}/health/ready`)).status;

beforeAll(async () => {
  clock = await MovingClock.make();
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
  service = await start();
  partner = await new OperatorApi(service.url).partner(['1000.00', '0.00']);
  api = await PartnerApi.login(service.url, partner.credentials);
  receiver = await PartnerReceiver.start([partner.webhookSecret]);
}, 60_000);

afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
  await proxy?.stop();
  await database?.drop();
  await clock?.remove();
});

async function cashOut(path: string): Promise<string> {
  const answer = await api.post('/accounts/pix/cashout', {
    payment: { value: '1.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
    transaction: { orderId: 'order' },
    webhook: { url: receiver.url(path) },
  });
  expect(answer.status).toBe(201);
  return answer.body.data.transaction.id;
}

/** A transfer, its entry in the statement, a payout and its notification: all of them within seconds. */
async function everythingWorks(path: string): Promise<void> {
  const { status, body } = await api.transfer(partner.accounts[1]!, '1.00');
  expect(status).toBe(201);
  const payout = await cashOut(path);
  await eventually(async () => {
    const statement = await api.get(`/accounts/${partner.accounts[0]}/statement?limit=10`);
    return statement.body.data.items.some((entry: { transactionId: string }) => entry.transactionId === body.data.id);
  });
  await eventually(async () => {
    const { transaction } = (await api.get(`/accounts/transactions/${payout}`)).body.data;
    return transaction.state === 'Completed';
  });
  await receiver.arrived(path, 1);
}

async function timed(asked: Promise<Answer>): Promise<{ status: number; ms: number }> {
  const began = performance.now();
  const { status } = await asked;
  return { status, ms: performance.now() - began };
}

/** By its clock: of the last record of its log. */
function timeOf(service: Service): number {
  const [, time] = [...service.output().matchAll(/"time":"([^"]+)"/g)].at(-1)!;
  return Date.parse(time!);
}

describe('a clock that jumps', () => {
  it('ahead and back stops nothing, and the log keeps its order', async () => {
    await clock.jumpTo(JUMP_MS);
    await eventually(async () => (await readiness()) === 503);
    await everythingWorks('/ahead');
    await clock.jumpTo(0);
    await eventually(async () => (await readiness()) === 200);
    await everythingWorks('/back');
    await clock.jumpTo(-JUMP_MS);
    await eventually(async () => (await readiness()) === 503);
    await everythingWorks('/behind');
    await clock.jumpTo(0);
    await everythingWorks('/after');

    const backwards = await database.query(`
      select partition, position from (
        select partition, position, time, lag(time) over (partition by partition order by position) as before
        from event) e
      where time < before`);
    expect(backwards).toEqual([]);
    await assertLedgerSound(database);
  }, 90_000);

  it('back after its process was killed leaves no work behind in a lease of the future', async () => {
    receiver.behave('/leased', 'slow 60000');
    await clock.jumpTo(JUMP_MS);
    await eventually(async () => (await readiness()) === 503);
    const answer = await api.post('/webhooks/test', { url: receiver.url('/leased') });
    expect(answer.status).toBe(202);
    await receiver.arrived('/leased', 1);
    // What was planned for a time of the future waits for it; here it is only the lease that must not.
    await database.query(`update webhook_delivery set due_at = now() where status <> 'Delivered'`);
    await service.kill('SIGKILL');
    await service.stop();
    receiver.behave('/leased', '200');
    await clock.jumpTo(0);
    service = await start();
    api = api.on(service.url);
    await eventually(
      async () => {
        const rows = await database.query(`select from webhook_delivery where status <> 'Delivered'`);
        return rows.length === 0;
      },
      { within: 15_000 },
    );
  }, 60_000);

  it('back while a command waits for its database does not put its answer off', async () => {
    // A second process, whose clock is right, is asked for the same at the same moments.
    const right = await startService(proxy.url);
    try {
      const [jumping, control] = [api, api.on(right.url)];
      for (const one of [jumping, control]) expect((await one.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);
      proxy.refuse(true);
      const waits = [jumping, control].map((one) =>
        Promise.all(Array.from({ length: 5 }, () => timed(one.transfer(partner.accounts[1]!, '1.00')))),
      );
      await eventually(async () =>
        /^ledger_batch_faults_total\{.*\} [1-9]/m.test(await (await fetch(`${service.url}/metrics`)).text()),
      );
      await clock.jumpTo(-JUMP_MS);
      // It tells again and again that its database is away: it has seen the jump while the commands wait.
      await eventually(() => timeOf(service) < Date.now() - JUMP_MS / 2);
      const [late, inTime] = (await Promise.all(waits)).map((answers) => {
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
        return Math.min(...answers.map(({ ms }) => ms));
      }) as [number, number];
      expect(late / inTime).toBeGreaterThan(0.5);
      expect(late / inTime).toBeLessThan(2);
    } finally {
      proxy.refuse(false);
      await right.stop();
    }
  }, 60_000);
});

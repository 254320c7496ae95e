import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { MovingClock } from '../support/moving-clock.js';
import { type Service, startService } from '../support/service.js';

const TRANSFERS = 150;
const PAYOUTS = 30;
/** Shorter than a token's life. */
const DELAY_MS = 30 * 60_000;

/** Stands before what is scheduled until all of it is in. */
let clock: MovingClock;
let database: TestDatabase;
let services: Service[];
let operator: OperatorApi;

const start = () => startService(database.url, { LEDGER_PARTITIONS: '1', ...clock.settings });

beforeAll(async () => {
  clock = await MovingClock.make();
  database = await createDatabase();
  services = [await start(), await start()];
  operator = new OperatorApi(services[0]!.url);
}, 60_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await database?.drop();
  await clock?.remove();
});

const later = () => new Date(clock.now().getTime() + DELAY_MS).toISOString();
const login = ({ credentials }: TestPartner) => PartnerApi.login(services[1]!.url, credentials);

async function scheduled(api: PartnerApi, to: string, number: number, scheduledFor: string): Promise<string[]> {
  const ids: string[] = [];
  for (let done = 0; done < number; done += 50) {
    const items = Array.from({ length: Math.min(50, number - done) }, (_, n) => ({
      ...{ idempotencyKey: `${to}-${done + n}`, refAccountCredit: to, transferAmount: '1.00', scheduledFor },
    }));
    const { body } = await api.post('/accounts/transfers/batch', { items });
    ids.push(...body.data.items.map((item: any) => item.data.id));
  }
  return ids;
}

const states = async (ids: readonly string[]) => {
  const rows = await database.query<{ state: string; count: string }>(
    `select state, count(*) from transaction where id = any($1::uuid[]) group by state`,
    [ids],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
};

describe('what is due while processes are killed', () => {
  it('is carried out once, all of it', async () => {
    const partner = await operator.partner(['1000.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    const api = await login(partner);
    const scheduledFor = later();
    const ids = await scheduled(api, to, TRANSFERS, scheduledFor);
    for (let n = 0; n < PAYOUTS; n++) {
      const { body } = await api.post('/accounts/pix/cashout', {
        payment: { value: '2.00', key: { type: 'EMAIL', value: 'a@example.com' }, recipient: { cpf: '52998224725' } },
        transaction: { orderId: `order-${n}`, scheduledFor },
        webhook: { url: 'https://partner.example/hook' },
      });
      ids.push(body.data.transaction.id);
    }
    // One process after the other, from before the time until all is done.
    for (let kills = 0; kills < 4; kills++) {
      if (kills === 1) {
        await clock.advance(DELAY_MS);
        await eventually(async () => ((await states(ids)).Completed ?? 0) > 0);
      }
      const victim = services.shift()!;
      await victim.kill('SIGKILL');
      services.push(await start());
    }
    await eventually(async () => (await states(ids)).Completed === TRANSFERS + PAYOUTS, { within: 60_000 });
    const again = await login(partner);
    expect(await again.balance(from)).toMatchObject({
      available: `${1_000 - TRANSFERS - 2 * PAYOUTS}.00`,
      held: '0.00',
    });
    expect(await again.balance(to)).toMatchObject({ available: `${TRANSFERS}.00` });
    const moved = await database.query(
      `select from event where type in ('TransferSettled', 'CashOutRegistered') and version > 1`,
    );
    expect(moved).toHaveLength(TRANSFERS + PAYOUTS);
    await eventually(async () => (await database.query(`select from work where kind = 'scheduled-run'`)).length === 0);
    await assertLedgerSound(database);
  }, 150_000);
});

describe('what many have due in the same minute', () => {
  it('is not delayed by one who has thousands', async () => {
    operator = new OperatorApi(services[0]!.url);
    const [greedy, modest] = [await operator.partner(['5000.00', '0.00']), await operator.partner(['10.00', '0.00'])];
    const scheduledFor = later();
    const many = await scheduled(await login(greedy), greedy.accounts[1]!, 1_500, scheduledFor);
    const few = await scheduled(await login(modest), modest.accounts[1]!, 5, scheduledFor);
    await clock.advance(DELAY_MS);
    await eventually(async () => (await states([...many, ...few])).Completed === 1_505, { within: 60_000 });
    const [order] = await database.query<{ before: string }>(
      `select count(*) as before from transaction t
       where t.id = any($1::uuid[]) and t.state_dates ->> 'Completed' <= (
         select max(state_dates ->> 'Completed') from transaction where id = any($2::uuid[]))`,
      [many, few],
    );
    // They were scheduled last. In turns with the other partner's, they are done with the first few rounds.
    expect(Number(order!.before)).toBeLessThan(750);
  }, 120_000);
});

describe('what many partners have waiting for a later time', () => {
  const lookUps = async () => {
    const [row] = await database.query<{ count: string }>(
      `select idx_scan as count from pg_stat_user_indexes where indexrelname = 'work_line'`,
    );
    return Number(row!.count);
  };

  it('is not looked at while others have some due', async () => {
    operator = new OperatorApi(services[0]!.url);
    const partner = await operator.partner(['1000.00', '0.00']);
    const due = await scheduled(await login(partner), partner.accounts[1]!, 300, later());
    const waiting = 2_000;
    await database.query(
      `insert into work (partition, id, kind, subject, payload, due_at)
       select 1, gen_random_uuid(), 'scheduled-run', gen_random_uuid(),
         json_build_object('partnerUid', gen_random_uuid()), now() + interval '300 days'
       from generate_series(1, $1::int)`,
      [waiting],
    );
    const before = await lookUps();
    await clock.advance(DELAY_MS);
    await eventually(async () => (await states(due)).Completed === due.length, { within: 60_000 });
    // Counts are told a second late.
    await new Promise((resume) => setTimeout(resume, 1_500));
    expect((await lookUps()) - before).toBeLessThan(waiting);
  }, 120_000);
});

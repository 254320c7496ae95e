import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { tellEvents } from '../support/told-events.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let partner: TestPartner;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  partner = await new OperatorApi(service.url).partner(['100000.00', '0.00']);
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

describe('a process killed by SIGKILL in a storm of transfers', () => {
  it('has lost nothing that it acknowledged, done nothing twice, and its followers go on where they were', async () => {
    const destination = partner.accounts[1]!;
    const acknowledged = new Map<string, string>();
    const sent = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const api = await PartnerApi.login(service.url, partner.credentials);
      const storm = Array.from({ length: 20 }, async (_, client) => {
        for (let i = 0; ; i++) {
          const key = `${round}-${client}-${i}`;
          sent.add(key);
          const answer = await api.transfer(destination, '1.00', key).catch(() => undefined);
          if (answer?.status !== 201) return;
          acknowledged.set(key, answer.body.data.id);
        }
      });
      const goal = acknowledged.size + 150;
      await eventually(() => acknowledged.size >= goal);
      await service.kill('SIGKILL');
      await Promise.all(storm);
      service = await startService(database.url);
    }

    const api = await PartnerApi.login(service.url, partner.credentials);
    const rows = await database.query<{ stream: string }>(`select stream from event where type = 'TransferSettled'`);
    const settled = new Set(rows.map(({ stream }) => stream.replace('transfer-', '')));
    expect([...acknowledged.values()].filter((id) => !settled.has(id))).toEqual([]);
    expect(settled.size).toBe(rows.length);

    // What was sent and never answered is told by a repetition with its key, and is then done exactly once.
    for (const key of sent) {
      const answer = await api.transfer(destination, '1.00', key);
      expect(answer.status).toBe(201);
      if (acknowledged.has(key)) expect(answer.body.data.id).toBe(acknowledged.get(key));
    }
    expect((await api.balance(destination)).available).toBe(`${sent.size}.00`);
    await assertLedgerSound(database);

    await tellEvents(database);
    const differences = () =>
      database.query(`
        with posting as (
          select e.partition, e.position, (p->>'account')::uuid as account, (p->>'entry')::int as number,
            (p->>'amount')::bigint as amount, (p->>'balance')::bigint as balance
          from told.event e, json_array_elements(e.data->'postings') p
          where e.data->'postings' is not null),
        shown as (
          select partition, account_uid, number, position, amount, balance from entry
          union all
          select partition, account_uid, entry, position, -amount, balance from transaction where entry is not null
          union all
          select partition, counterparty_uid, counterparty_entry, position, amount, counterparty_balance
          from transaction where entry is not null)
        select * from posting p
        full join shown e on e.partition = p.partition and e.account_uid = p.account and e.number = p.number
        where p.account is null or e.account_uid is null or e.amount <> p.amount or e.balance <> p.balance
          or e.position <> p.position`);
    await eventually(async () => (await differences()).length === 0);
  }, 120_000);
});

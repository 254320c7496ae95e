import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let partner: TestPartner;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  partner = await new OperatorApi(service.url).partner(['1000000.00', '0.00']);
}, 60_000);

afterAll(async () => {
  await service.stop();
  await database.drop();
});

const ITEMS = 120;

/** Batches of which every second is atomic. */
const bodyOf = (name: string, n: number) => ({
  mode: n % 2 === 0 ? 'atomic' : 'independent',
  items: Array.from({ length: ITEMS }, (_, i) => ({
    idempotencyKey: `${name}-${i}`,
    refAccountCredit: partner.accounts[1]!,
    transferAmount: '1.00',
  })),
});

describe('a process killed by SIGKILL in the middle of batches', () => {
  it('has lost no item that it acknowledged, applied atomic ones whole, and a repetition does each item once', async () => {
    const told = new Map<string, string>();
    const sent = new Map<string, { body: ReturnType<typeof bodyOf>; key: string }>();
    for (let round = 0; round < 3; round++) {
      const api = await PartnerApi.login(service.url, partner.credentials);
      const storm = Array.from({ length: 6 }, async (_, client) => {
        for (let n = 0; ; n++) {
          const name = `${round}-${client}-${n}`;
          sent.set(name, { body: bodyOf(name, n), key: `whole-${name}` });
          const { body, key } = sent.get(name)!;
          const answer = await api
            .post('/accounts/transfers/batch', body, { 'idempotency-key': key })
            .catch(() => undefined);
          if (answer?.status !== 200) return;
          for (const { idempotencyKey, data } of answer.body.data.items) told.set(idempotencyKey, data.id);
        }
      });
      const goal = told.size + 10 * ITEMS;
      await eventually(() => told.size >= goal);
      await service.kill('SIGKILL');
      await Promise.all(storm);
      service = await startService(database.url);
    }

    const rows = await database.query<{ stream: string; time: string }>(
      `select stream, time::text from event where type = 'TransferSettled'`,
    );
    const settled = new Map(rows.map(({ stream, time }) => [stream.replace('transfer-', ''), time]));
    expect([...told.values()].filter((id) => !settled.has(id))).toEqual([]);
    expect(settled.size).toBe(rows.length);
    const before = settled.size;

    const api = await PartnerApi.login(service.url, partner.credentials);
    let unanswered = 0;
    for (const { body, key } of sent.values()) {
      const answer = await api.post('/accounts/transfers/batch', body, { 'idempotency-key': key });
      expect(answer.body.data.counts).toEqual({ done: ITEMS, error: 0 });
      const replayed = answer.body.data.items.filter((one: any) => one.replayed).length;
      if (body.mode === 'atomic') expect([0, ITEMS]).toContain(replayed);
      if (replayed < ITEMS) unanswered += ITEMS - replayed;
      for (const { idempotencyKey, data } of answer.body.data.items) {
        if (told.has(idempotencyKey)) expect(data.id).toBe(told.get(idempotencyKey));
      }
    }
    expect(before + unanswered).toBe(sent.size * ITEMS);
    expect((await api.balance(partner.accounts[1]!)).available).toBe(`${sent.size * ITEMS}.00`);
    await assertLedgerSound(database);
  }, 180_000);
});

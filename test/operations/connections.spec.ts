import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { OpenAccount, RegisterPartner, Registry } from '../../src/accounts/index.js';
import { partitionOf } from '../../src/event-store/index.js';
import { aboutFewSessions, mostSessions } from '../../src/platform/database/index.js';
import { TestWebhook } from '../../src/webhooks/commands/test-webhook/test-webhook.command.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type InProcess, startInProcess } from '../support/in-process.js';
import { startService } from '../support/service.js';
import { startReceiver } from '../support/webhook-receiver.js';

const ACTOR = 'operator:test';

let target: TestDatabase;
let service: InProcess;

beforeAll(async () => {
  target = await createDatabase();
  service = await startInProcess(target);
});
afterAll(async () => {
  await service?.close();
  await target?.drop();
});

it('requests for the readiness that come at once share two of the database', async () => {
  const asked = jest.spyOn(service.database, 'query');
  try {
    const ask = () => service.app.inject({ method: 'GET', url: '/health/ready' });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    expect([...new Set(answers.map(({ body }) => body))]).toEqual([
      `{"status":"ok","details":{"database":{"status":"up"}}}`,
    ]);
    expect(asked.mock.calls.filter(([{ name }]) => name === 'health').length).toBeLessThanOrEqual(2);
  } finally {
    asked.mockRestore();
  }
});

it('a process opens as many connections as the capacity formula says', async () => {
  const { database } = service;
  const text = 'select pg_sleep(0.02)';
  let busy = true;
  const keepBusy = async (ask: () => Promise<unknown>) => {
    while (busy) await ask();
  };
  const work = [
    () => database.query({ text }),
    () => database.backgroundQuery({ text }),
    () => database.registryQuery({ text }),
    () => database.lookUp({ name: 'slow', text, values: [] }),
  ].flatMap((ask) => Array.from({ length: 100 }, () => keepBusy(ask)));
  try {
    const counted = async () => {
      const rows = await target.query<{ purpose: string; count: number }>(`
        select replace(application_name, 'payments ', '') as purpose, count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name like 'payments %'
          and application_name <> 'payments lane' group by 1`);
      return Object.fromEntries(rows.map(({ purpose, count }) => [purpose, count]));
    };
    const whole = { reads: 10, background: 10, registry: 1, 'look-ups': 2, news: 1 };
    await eventually(async () => {
      expect(await counted()).toEqual(whole);
      return true;
    });
    const sum = Object.values(whole).reduce((total, count) => total + count);
    expect(mostSessions(1, 8)).toBe(sum + 8 + 1);
    expect(await readFile('docs/operations.md', 'utf8')).toContain(`processes × (${sum} + partitions + 1)`);
    expect(await readFile('docs/scale.md', 'utf8')).toContain(`with 8 partitions at most ${sum + 8 + 1}`);
  } finally {
    busy = false;
    await Promise.all(work);
  }
}, 30_000);

it('a start says where the database lets in fewer sessions than it may open', async () => {
  const few = await createDatabase();
  const limit = (count: number) =>
    few.query(`alter database "${new URL(few.url).pathname.slice(1)}" connection limit ${count}`);
  try {
    await limit(mostSessions(2, 3));
    expect(await aboutFewSessions(few.url, 2, 3)).toBeUndefined();
    await limit(mostSessions(2, 3) - 1);
    const started = await startService(few.url, { WORKERS: '2', LEDGER_PARTITIONS: '3' });
    await started.stop();
    expect(started.output()).toContain(
      `lets ${mostSessions(2, 3) - 1} sessions in, and this process with its workers opens up`,
    );
  } finally {
    await few.drop();
  }
}, 60_000);

it('webhooks are signed and sent while requests have all of their connections', async () => {
  const { app, database } = service;
  const receiver = await startReceiver((response) => response.end());
  const [commands, holder] = [app.get(CommandBus), { name: 'Comércio Exemplo Ltda', taxNumber: '11222333000181' }];
  const { uid: partnerUid } = await commands.execute(new RegisterPartner(holder.name, holder.taxNumber, ACTOR));
  const { uid: accountUid } = await commands.execute(new OpenAccount(partnerUid, holder, ACTOR));
  const caller = { accessKey: 'k', accountUid, partnerUid, partition: partitionOf(accountUid)!, permissions: [] };
  // As a request has it in the cache.
  await app.get(Registry, { strict: false }).partner(partnerUid);
  const pool = database.requestPool;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    const header = { customHeaderName: 'X-Source', customHeaderValue: 'payments' };
    await commands.execute(new TestWebhook(caller, { url: `http://127.0.0.1:${receiver.port}/`, ...header }, 'r'));
    const sent = await eventually(() => receiver.received[0]);
    expect(sent.headers).toMatchObject({ 'x-source': 'payments', 'webhook-signature': expect.stringMatching(/^v1,/) });
  } finally {
    held.forEach((client) => client.release());
    await receiver.close();
  }
});

it('notifications that are sent without waiting for one another arrive in order', async () => {
  const received: string[] = [];
  const news = await service.database.listen(['test_news'], {
    message: (_channel, payload) => void received.push(payload),
    lost: () => undefined,
  });
  try {
    const sent = Array.from({ length: 10 }, (_, n) => `${n}`);
    await Promise.all(sent.map((payload) => news.notify('test_news', payload)));
    await eventually(() => received.length === sent.length);
    expect(received).toEqual(sent);
  } finally {
    await news.close();
  }
});

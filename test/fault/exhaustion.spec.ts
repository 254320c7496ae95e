import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { KeptBehaviour } from '../../src/pix/rails/sandbox/behaviour.js';
import { openColdTables } from '../../src/platform/database/cold-tables.js';
import { Database, DatabaseUnavailable } from '../../src/platform/database/index.js';
import { type Answer, call, FROM_PAGE, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sample } from '../support/metrics.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Service;
let partner: TestPartner;
let api: PartnerApi;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
  service = await startService(proxy.url);
  partner = await new OperatorApi(service.url).partner(['1000.00', '0.00']);
  api = await PartnerApi.login(service.url, partner.credentials);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await database?.drop();
});

/** Requests under way, and how many of them have been answered by now. */
class Asked {
  answered = 0;
  readonly answers: Promise<Answer[]>;

  constructor(asked: readonly Promise<Answer>[]) {
    this.answers = Promise.all(asked.map((one) => one.finally(() => (this.answered += 1))));
  }
}

const transfer = () => api.transfer(partner.accounts[1]!, '1.00');
const ready = () => call(service.url, 'GET', '/health/ready');

/** Holds a table so that whoever reads it waits, until what is done meanwhile has ended. */
async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`lock table ${table} in access exclusive mode`);
    return await work();
  } finally {
    await client.end();
  }
}

function expectUnavailable(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(answer.body.error.name).toBe('ServiceUnavailable');
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
}

describe("the readers' pool, kept exhausted", () => {
  it('answers all with 503 and Retry-After while it lasts, and does not slow the writers', async () => {
    const login = () => call(service.url, 'POST', '/partners-int/login', { body: partner.credentials });
    // The table is held until the last of them has been answered: none of them owes that to its being free again.
    await whileLocked('registry_secret', async () => {
      const logins = new Asked(Array.from({ length: 600 }, login));
      // The burst has been taken in, and waits.
      const readiness = await eventually(async () => {
        const asked = await ready();
        return asked.status !== 200 && asked;
      });
      expectUnavailable(readiness);
      expect(logins.answered).toBeLessThan(600);
      expect((await transfer()).status).toBe(201);
      expect(logins.answered).toBeLessThan(600);
      expect((await call(service.url, 'GET', '/health/live')).status).toBe(200);
      const answers = await logins.answers;
      expect(answers).toHaveLength(600);
      answers.forEach(expectUnavailable);
    });
    expect((await eventually(async () => ((await ready()).status === 200 ? login() : false))).status).toBe(200);
  }, 60_000);
});

describe.each([
  ['lists of few among many', 'transaction', (i: number) => api.get(`/accounts/transactions?state=Error&limit=${i}`)],
  ['statements', 'transaction', (i: number) => api.get(`/accounts/${partner.accounts[0]}/statement?limit=${i}`)],
  [
    'dry runs',
    'log_head',
    (i: number) =>
      api.post('/accounts/transfer?dryRun=true', {
        refAccountCredit: partner.accounts[1],
        transferAmount: `${i}.00`,
      }),
  ],
])("one partner's %s", (_reads, table, read) => {
  it('take half of the connections at most: others log in meanwhile', async () => {
    const login = () => call(service.url, 'POST', '/partners-int/login', { body: partner.credentials });
    const waitsForLock = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const [lists, answer, answered] = await whileLocked(table, async () => {
      const asked = new Asked(Array.from({ length: 60 }, (_, i) => read(i + 1)));
      await eventually(async () => (await database.query(waitsForLock)).length > 0);
      return [asked, await login(), asked.answered] as const;
    });
    expect([answer.status, answered]).toEqual([200, 0]);
    for (const { status } of await lists.answers) expect([200, 503]).toContain(status);
  });
});

describe.each([
  ['files', 'payout_file', '/payouts/files'],
  ['deliveries', 'webhook_delivery', '/webhooks/deliveries'],
  ['infractions', 'infraction', '/med'],
])("one partner's pages of %s", (_pages, table, path) => {
  it('take four connections, however many keys ask for them: others log in, and read theirs', async () => {
    const operator = new OperatorApi(service.url);
    const other = await PartnerApi.login(service.url, (await operator.partner(['0.00'])).credentials);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and application_name = 'payments reads'`;
    const [waits, login, read] = await whileLocked(table, async () => {
      const asked = new Asked(Array.from({ length: 600 }, () => api.get(path)));
      await eventually(async () => (await database.query(waiting)).length > 0);
      const [one, two] = await Promise.all([
        call(service.url, 'POST', '/partners-int/login', { body: partner.credentials }),
        other.get('/accounts'),
      ]);
      const found = await database.query(waiting);
      expect(asked.answered).toBe(0);
      return [found.length, one.status, two.status];
    });
    expect([waits, login, read]).toEqual([4, 200, 200]);
  });
});

describe('notes of checkpoints, which anybody may ask for', () => {
  it('take one connection, however many ask: others log in meanwhile', async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and query like '%from checkpoint where%'
      and wait_event_type = 'Lock'`;
    const [waits, login] = await whileLocked('checkpoint', async () => {
      const notes = new Asked(Array.from({ length: 600 }, () => call(service.url, 'GET', '/checkpoints/0')));
      await eventually(async () => (await database.query(waiting)).length > 0);
      const { status } = await call(service.url, 'POST', '/partners-int/login', { body: partner.credentials });
      const found = await database.query(waiting);
      expect(notes.answered).toBe(0);
      return [found.length, status];
    });
    expect([waits, login]).toEqual([1, 200]);
  });
});

describe('numbers that are no partition', () => {
  it('are told to be none without the database, however many ask for their notes', async () => {
    await whileLocked('checkpoint', async () => {
      const notes = Array.from({ length: 600 }, (_, i) => call(service.url, 'GET', `/checkpoints/${1_000 + i}`));
      for (const { status } of await Promise.all(notes)) expect(status).toBe(404);
    });
  });
});

describe('cookies of the console, which anybody can make up', () => {
  it.each(['GET', 'DELETE'])(
    'are looked for on one connection, however many come: others log in (%s)',
    async (method) => {
      const waiting = `select from pg_stat_activity where datname = current_database()
      and query ilike '%console_session%' and query not like 'select from%' and wait_event_type = 'Lock'`;
      const [waits, login] = await whileLocked('console_session', async () => {
        const headers = { ...FROM_PAGE };
        const asked = new Asked(
          Array.from({ length: 600 }, (_, i) =>
            call(service.url, method, '/console/session', { headers: { ...headers, cookie: `console=made-up-${i}` } }),
          ),
        );
        await eventually(async () => (await database.query(waiting)).length > 0);
        const { status } = await call(service.url, 'POST', '/partners-int/login', { body: partner.credentials });
        const found = await database.query(waiting);
        expect(asked.answered).toBe(0);
        return [found.length, status];
      });
      expect([waits, login]).toEqual([1, 200]);
    },
  );
});

describe('what auditors ask for', () => {
  it('is read for two requests of one partner, however many ask: others log in, another auditor reads', async () => {
    const operator = new OperatorApi(service.url);
    const own = await operator.post('/auditors', { name: 'Of one', partnerUid: partner.uid });
    const other = await operator.post('/auditors', { name: 'Of all' });
    const waiting = `select from pg_stat_activity where datname = current_database() and query like '%from entry%'
      and query not like 'select from%' and wait_event_type = 'Lock'`;
    const path = `/audit/accounts/${partner.accounts[0]}/events`;
    const [waits, login, read] = await whileLocked('entry', async () => {
      const asked = new Asked(Array.from({ length: 600 }, () => call(service.url, 'GET', path, { token: own.token })));
      await eventually(async () => (await database.query(waiting)).length > 0);
      const [one, two] = await Promise.all([
        call(service.url, 'POST', '/partners-int/login', { body: partner.credentials }),
        call(service.url, 'GET', '/audit/partitions', { token: other.token }),
      ]);
      const found = await database.query(waiting);
      await asked.answers;
      return [found.length, one.status, two.status];
    });
    expect([waits, login, read]).toEqual([2, 200, 200]);
  });
});

describe('a database that has stopped to answer', () => {
  it('is told by readiness at once; commands are refused while the oldest waits, and all waiting ones are answered', async () => {
    expect((await transfer()).status).toBe(201);
    proxy.stall(true);
    const first = new Asked([transfer()]);
    expectUnavailable(await ready());
    // Long before any statement has timed out: neither the registry nor the queue is trusted any more.
    expectUnavailable(await transfer());
    expect(first.answered).toBe(0);
    expect((await call(service.url, 'GET', '/health/live')).status).toBe(200);
    expect((await first.answers).map(({ status }) => status)).toEqual([503]);
    proxy.stall(false);
    await eventually(async () => (await ready()).status === 200, { within: 20_000 });
    expect((await transfer()).status).toBe(201);
  }, 60_000);
});

describe('a scrape of a service with two workers whose database has stopped to answer', () => {
  it('says so of both in less time than Prometheus waits, with all that the database is not needed for', async () => {
    const own = await createDatabase();
    const between = await DatabaseProxy.start(own.url);
    const both = await startService(between.url, { WORKERS: '2' });
    const scrape = async () => {
      const answer = await fetch(`${both.url}/metrics`, { signal: AbortSignal.timeout(10_000) });
      return answer.text();
    };
    try {
      await eventually(async () => sample(await scrape(), 'database_up').join() === '1,1');
      between.stall(true);
      const silent = await scrape();
      expect(sample(silent, 'database_up')).toEqual([0, 0]);
      expect(sample(silent, 'ledger_subscription_lag_events')).toEqual([]);
      expect(sample(silent, 'process_open_fds')).toHaveLength(2);
    } finally {
      between.stall(false);
      await both.stop();
      await between.stop();
      await own.drop();
    }
  }, 60_000);
});

describe('a connection that did not answer a repository', () => {
  it('is not used again, by a repository or by anybody else', async () => {
    // Of its own: the service reads that table too.
    const between = await DatabaseProxy.start(database.url);
    const ours = new Database(between.url, () => undefined);
    try {
      const behaviours = (await openColdTables(ours, [KeptBehaviour])).getRepository(KeptBehaviour);
      const read = () => behaviours.findOneByOrFail({ id: 1 });
      const known = await read();
      between.mute('"sandbox"."behaviour"');
      await expect(read()).rejects.toThrow(DatabaseUnavailable);
      between.mute(undefined);
      expect(ours.requestPool.totalCount).toBe(0);
      // One of them would be given it.
      expect(await Promise.all([ours.query({ text: 'select 1 as one' }), read()])).toEqual([[{ one: 1 }], known]);
    } finally {
      await ours.close();
      await between.stop();
    }
  }, 20_000);
});

describe('a process that was stalled itself', () => {
  it('looks at the registry before it answers, and refuses nobody', async () => {
    expect((await transfer()).status).toBe(201);
    service.process.kill('SIGSTOP');
    const asked = new Asked(Array.from({ length: 20 }, transfer));
    await new Promise((resume) => setTimeout(resume, 1_500));
    expect(asked.answered).toBe(0);
    service.process.kill('SIGCONT');
    expect((await asked.answers).map(({ status }) => status)).toEqual(Array(20).fill(201));
  }, 30_000);

  it('turns none of those away who connect meanwhile', async () => {
    const { hostname, port } = new URL(service.url);
    service.process.kill('SIGSTOP');
    const sockets = Array.from({ length: 1_500 }, () => connect({ host: hostname, port: Number(port) }));
    try {
      // The kernel connects them. Those that its queue has no room for would wait for as long as the process does.
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      service.process.kill('SIGCONT');
      const request = `GET /health/live HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
      const answers = sockets.map(async (socket) => {
        socket.write(request);
        const [answer] = (await once(socket, 'data')) as [Buffer];
        return answer.toString('latin1', 9, 12);
      });
      expect(new Set(await Promise.all(answers))).toEqual(new Set(['200']));
    } finally {
      service.process.kill('SIGCONT');
      sockets.forEach((socket) => socket.destroy());
    }
  }, 30_000);
});

describe('a database that is unreachable', () => {
  it.each([
    ['/checkpoints/1', undefined],
    ['/admin/transactions', ADMIN_TOKEN],
  ])(
    'is told by 503 and Retry-After to whoever asks for %s',
    async (path, token) => {
      proxy.refuse(true);
      try {
        expectUnavailable(await call(service.url, 'GET', path, { token }));
      } finally {
        proxy.refuse(false);
        await eventually(async () => (await ready()).status === 200, { within: 20_000 });
      }
    },
    30_000,
  );
});

describe('more requests at once than MAX_REQUESTS', () => {
  it('are refused before their bodies are read, and all of the others are served', async () => {
    const small = await startService(database.url, { MAX_REQUESTS: '10' });
    try {
      const session = api.on(small.url);
      const ask = () => session.transfer(partner.accounts[1]!, '1.00');
      await ask();
      // None of the others is over before the last one was refused. The registry is free meanwhile, and trusted.
      const asked = await whileLocked('transaction', async () => {
        const shots = new Asked(Array.from({ length: 40 }, ask));
        await eventually(() => shots.answered >= 30);
        return shots;
      });
      const shots = await asked.answers;
      expect(shots.filter(({ status }) => status === 201)).toHaveLength(10);
      const refused = shots.filter(({ status }) => status !== 201);
      refused.forEach(expectUnavailable);
      expect(refused.filter(({ body }) => !/are under way/.test(body.error.message))).toEqual([]);
      await eventually(async () => (await ask()).status === 201);
    } finally {
      await small.stop();
    }
  }, 60_000);
});

describe('readiness', () => {
  it('says no of a database that cannot be written to', async () => {
    // What a standby says of itself, to connections that are made from now on.
    const own = 'create or replace function pg_catalog.pg_is_in_recovery() returns boolean stable strict parallel safe';
    await database.query(`${own} language sql return true`);
    proxy.refuse(true);
    proxy.refuse(false);
    const told = await eventually(async () => {
      const asked = await ready();
      return /standby/.test(asked.body.error?.message) && asked;
    });
    expect(told.status).toBe(503);
    await database.query(`${own} language internal as 'pg_is_in_recovery'`);
    proxy.refuse(true);
    proxy.refuse(false);
    await eventually(async () => (await ready()).status === 200);
  }, 30_000);
});

describe('a server that lets everybody in and refuses LISTEN, as a standby does', () => {
  it('is left with no connection of a try', async () => {
    const ours = new Database(database.url, () => undefined);
    const left = async () => {
      const text = `select from pg_stat_activity where datname = current_database() and application_name = 'payments news'`;
      return (await database.query(text)).length;
    };
    const before = await left();
    // A channel without a name is refused as late: by the statement.
    const refused = ours.listen([''], { message: () => undefined, lost: () => undefined });
    await expect(refused).rejects.toThrow('zero-length delimited identifier');
    await eventually(async () => (await left()) === before);
    await ours.close();
  });
});

describe('a server that begins no session, as where its disk is full', () => {
  const setUp = `
    create function begin_none() returns event_trigger language plpgsql as $$ begin
      if current_setting('application_name') like 'payments %' then
        raise exception 'could not write init file' using errcode = 'XX000';
      end if;
    end $$;
    create event trigger begin_none on login execute function begin_none();
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'payments %'`;

  it('is unavailable, and blames no request; afterwards all goes on without a restart', async () => {
    const before = Number((await api.balance(partner.accounts[1]!)).available);
    await database.query(setUp);
    try {
      for (const answer of await Promise.all([
        call(service.url, 'POST', '/partners-int/login', { body: partner.credentials }),
        api.get('/accounts/transactions'),
        api.transfer(partner.accounts[1]!, '1.00', 'full'),
      ])) {
        expectUnavailable(answer);
      }
    } finally {
      await database.query('drop event trigger begin_none');
    }
    await eventually(async () => (await api.transfer(partner.accounts[1]!, '1.00', 'full')).status === 201);
    expect(Number((await api.balance(partner.accounts[1]!)).available)).toBe(before + 1);
  }, 60_000);
});

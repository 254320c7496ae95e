import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Answer, call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startInProcess } from '../support/in-process.js';
import { type Service, startService } from '../support/service.js';

const REQUESTS = 20;
const LOGINS = 10;
const ASKED = 5;

let database: TestDatabase;
let service: Service;
let open: Service;
let operator: OperatorApi;
let partner: TestPartner;

beforeAll(async () => {
  database = await createDatabase();
  const limits = { RATE_LIMIT_PER_SECOND: `${REQUESTS}`, LOGIN_RATE_LIMIT_PER_SECOND: `${LOGINS}` };
  const webhooks = { WEBHOOK_RATE_LIMIT_PER_SECOND: `${ASKED}` };
  [service, open] = await Promise.all([
    startService(database.url, limits),
    startService(database.url, { ...webhooks, CHECKPOINT_INTERVAL_SECONDS: '1' }),
  ]);
  operator = new OperatorApi(open.url);
  partner = await operator.partner(['100.00', '0.00']);
}, 60_000);

afterAll(async () => {
  await Promise.all([service?.stop(), open?.stop()]);
  await database?.drop();
});

const login = (body: unknown, base = service.url, headers?: Record<string, string>) =>
  call(base, 'POST', '/partners-int/login', { body, headers });
const burst = (times: number, request: () => Promise<Answer>) => Promise.all(Array.from({ length: times }, request));

/** Of requests that came at once: at least a bucket's worth got through, and no more than came back meanwhile. */
function expectBucket(answers: readonly Answer[], rate: number, seconds: number): void {
  const refused = answers.filter(({ status }) => status === 429);
  const passed = answers.length - refused.length;
  expect(passed).toBeGreaterThanOrEqual(rate);
  expect(passed).toBeLessThanOrEqual(rate + Math.ceil(seconds * rate) + 1);
  for (const { headers, body } of refused) {
    expect(body).toEqual({ statusCode: 'Error', error: { name: 'TooManyRequests', message: expect.any(String) } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
}

describe('requests of one access key', () => {
  it('are bounded by a bucket of a second’s worth, over all its tokens and routes; others are not touched', async () => {
    const [one, same] = [
      await PartnerApi.login(open.url, partner.credentials),
      await PartnerApi.login(open.url, partner.credentials),
    ];
    const neighbour = await operator.post(`/accounts/${partner.accounts[0]}/access-keys`, {});
    const other = (await PartnerApi.login(open.url, neighbour)).on(service.url);
    const started = performance.now();
    const answers = await Promise.all([
      burst(40, () => one.on(service.url).get('/accounts')),
      burst(40, () => same.on(service.url).transfer(partner.accounts[1]!, '0.01')),
    ]);
    const mine = answers.flat();
    expect((await other.get('/accounts')).status).toBe(200);
    expectBucket(mine, REQUESTS, (performance.now() - started) / 1000);
    await eventually(async () => (await one.on(service.url).get('/accounts')).status === 200, { within: 2_000 });
  });

  it('are not used up by who only knows the key, or sends a token of it that is forged', async () => {
    // A key of its own: its bucket is full, whatever the others were used for a moment ago.
    const fresh = await operator.post(`/accounts/${partner.accounts[0]}/access-keys`, {});
    const session = (await PartnerApi.login(open.url, fresh)).on(service.url);
    const forged = `${session.token.slice(0, -3)}AAA`;
    const answers = await burst(60, () => call(service.url, 'GET', '/partners-int/accounts', { token: forged }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await session.get('/accounts')).status).toBe(200);
  });
});

describe('logins', () => {
  it('of one address are bounded, whatever keys they name; tokens go on working', async () => {
    const fresh = await operator.post(`/accounts/${partner.accounts[0]}/access-keys`, {});
    const session = (await PartnerApi.login(open.url, fresh)).on(service.url);
    await eventually(async () => (await login(partner.credentials)).status === 200);
    let n = 0;
    const started = performance.now();
    const answers = await burst(60, () => login({ accessKey: `guess-${n++}`, secret: 'sk_guess' }));
    const others = answers.filter(({ status }) => status !== 429);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([401]));
    const seconds = (performance.now() - started) / 1000;
    expect(others.length).toBeGreaterThanOrEqual(LOGINS - 1);
    expect(others.length).toBeLessThanOrEqual(LOGINS + Math.ceil(seconds * LOGINS) + 1);
    const refused = await burst(20, () => login(partner.credentials));
    expect(refused.some(({ status, headers }) => status === 429 && headers.get('retry-after') === '1')).toBe(true);
    expect((await session.get('/accounts')).status).toBe(200);
    await eventually(async () => (await login(partner.credentials)).status === 200, { within: 3_000 });
  });

  it('cannot be multiplied by claiming to come from elsewhere', async () => {
    let n = 0;
    const answers = await burst(80, () =>
      login({ accessKey: 'guess', secret: 'sk_guess' }, service.url, { 'x-forwarded-for': `203.0.113.${n++}` }),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(20);
  });

  it('ask the database the same for a key that does not exist as for a secret that is wrong', async () => {
    // Counted, not timed: what a refusal costs must not tell whether the key exists, on any machine.
    const inside = await startInProcess(database);
    try {
      const read = inside.database.query.bind(inside.database);
      let asked: string[] = [];
      inside.database.query = (statement) => {
        asked.push(statement.name ?? statement.text);
        return read(statement);
      };
      const statements = async (accessKey: string) => {
        asked = [];
        const payload = { accessKey, secret: 'sk_wrong' };
        const { statusCode } = await inside.app.inject({ method: 'POST', url: '/partners-int/login', payload });
        expect(statusCode).toBe(401);
        return asked.filter((name) => /access-key|secret/.test(name));
      };
      const unknown = ['0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e', 'no identifier at all', "' or 1=1 --"];
      const wrong = await statements(partner.credentials.accessKey);
      expect(wrong).toHaveLength(1);
      for (const accessKey of unknown) expect(await statements(accessKey)).toEqual(wrong);
    } finally {
      await inside.close();
    }
  });
});

describe('tests and redeliveries of webhooks', () => {
  it('are bounded together for one partner, over all its keys and accounts; others and all else are not touched', async () => {
    const other = await operator.partner(['0.00']);
    const keys = await Promise.all(
      partner.accounts.map((account) => operator.post(`/accounts/${account}/access-keys`, {})),
    );
    const [one, same] = await Promise.all(keys.map((key) => PartnerApi.login(open.url, key)));
    const theirs = await PartnerApi.login(open.url, other.credentials);
    const url = 'http://127.0.0.1:65000/';
    const id = partner.accounts[0]!; // nobody's delivery: 404, but asked for
    const started = performance.now();
    const answers = await Promise.all([
      burst(10, () => one!.post('/webhooks/test', { url })),
      burst(10, () => same!.post('/webhooks/test', { url })),
      burst(10, () => one!.post(`/webhooks/deliveries/${id}/redeliver`)),
    ]);
    expectBucket(answers.flat(), ASKED, (performance.now() - started) / 1000);
    const statuses = new Set(answers.flat().map(({ status }) => status));
    expect([202, 404, 429]).toEqual(expect.arrayContaining([...statuses]));
    expect((await theirs.post('/webhooks/test', { url })).status).toBe(202);
    expect((await one!.get('/webhooks/deliveries')).status).toBe(200);
    await eventually(async () => (await same!.post('/webhooks/test', { url })).status === 202, { within: 3_000 });
  });
});

describe('exports', () => {
  const ask = (token: string, signal?: AbortSignal) =>
    fetch(`${open.url}/audit/export`, { headers: { authorization: `Bearer ${token}` }, signal: signal ?? null });
  const statusOf = async (token: string, signal: AbortSignal) => (await ask(token, signal)).status;

  async function auditor(partnerUid: string | null = null): Promise<string> {
    const { token } = await operator.post('/auditors', { name: 'Export', partnerUid });
    // The log has been asked who that is, before nobody can read it.
    expect((await call(open.url, 'GET', '/audit/partitions', { token })).status).toBe(200);
    return token;
  }

  /**
   * Exports stand where they are: nobody can read what they read next. They are left when all have been asked for. Nor
   * can the registry be read, which says who asks, and is believed for a second: if that was over, all is done again.
   * @returns the statuses of those that were asked for
   */
  async function whileStanding(work: (signal: AbortSignal) => Promise<number[]>): Promise<number[]> {
    for (;;) {
      const away = new AbortController();
      const lock = new pg.Client({ connectionString: database.url });
      await lock.connect();
      try {
        await lock.query('begin; lock table event in access exclusive mode');
        const statuses = await work(away.signal);
        if (!statuses.includes(503)) return statuses;
      } finally {
        away.abort();
        await lock.end();
      }
    }
  }

  // What no checkpoint covers is not exported.
  beforeAll(() => eventually(async () => (await fetch(`${open.url}/checkpoints/1`)).status === 200));

  it('are two at a time, each reading the log through; those that nobody waits for any more do not count', async () => {
    const auditors = await Promise.all([auditor(), auditor(), auditor(), auditor()]);
    let third: Answer | undefined;
    const statuses = await whileStanding(async (signal) => {
      // All at once: each looks before any has begun to read.
      const asked = await Promise.all(auditors.map((token) => statusOf(token, signal)));
      third = await call(open.url, 'GET', '/audit/export', { token: auditors[0] });
      return [...asked.sort(), third.status];
    });
    expect(statuses).toEqual([200, 200, 429, 429, 429]);
    expect(third!.body.error.name).toBe('TooManyRequests');
    expect(Number(third!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    await eventually(async () => {
      const answers = await Promise.all(auditors.slice(0, 2).map((token) => ask(token)));
      const ends = await Promise.all(answers.map(async (one) => (await one.text()).includes('"kind":"end"')));
      return ends.every(Boolean);
    });
  });

  it('are one at a time for an auditor, and for the auditors of a partner: the other turn is for others', async () => {
    const [all, another] = await Promise.all([auditor(), auditor()]);
    const [ofPartner, samePartner] = await Promise.all([auditor(partner.uid), auditor(partner.uid)]);
    for (const [one, same] of [
      [all, all],
      [ofPartner, samePartner],
    ] as const) {
      const statuses = await whileStanding(async (signal) => [
        await statusOf(one, signal),
        ...(await Promise.all([one, same, one, same].map((token) => statusOf(token, signal)))),
        await statusOf(another, signal),
      ]);
      expect(statuses).toEqual([200, 429, 429, 429, 429, 200]);
      await eventually(async () => {
        const left = await Promise.all([one, another].map(async (token) => (await ask(token)).text()));
        return left.every((text) => text.includes('"kind":"end"'));
      });
    }
  });
});

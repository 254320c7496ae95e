import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, call, OperatorApi, PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-cli.js';
import { sample } from '../support/metrics.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';
import { type StandbyLab, startWithStandby } from '../support/standby-lab.js';

const GONE = /^Not ready: the history was altered: partition 1, position \d+: this event was answered, and is gone\.$/;

/** The primary dies in the middle of the traffic. Nobody restarts a process of the service. */
let lab: StandbyLab;
const services: Service[] = [];

beforeEach(async () => {
  lab = await startWithStandby();
}, 60_000);

afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  await lab?.remove();
}, 60_000);

const started = async (env = {}) => {
  const service = await startService(lab.url, env);
  services.push(service);
  return service;
};

/** One transfer after another, each under its key, until it is told to stop. Their answers by key. */
function transfers(api: PartnerApi, to: string, name: string) {
  const answers = new Map<string, Answer | undefined>();
  let isOver = false;
  const run = async () => {
    for (let i = 1; !isOver; i += 1) {
      const key = `${name}-${i}`;
      // No answer is one too: whether it was done is not known.
      answers.set(key, await api.transfer(to, '1.00', key).catch(() => undefined));
      if (answers.get(key)?.status !== 201) await new Promise((resume) => setTimeout(resume, 50));
    }
  };
  const running = run();
  const done = () => [...answers].filter(([, answer]) => answer?.status === 201);
  return {
    answers,
    done,
    stop: () => {
      isOver = true;
      return running;
    },
  };
}

const until = async (reached: () => boolean) => {
  while (!reached()) await new Promise((resume) => setTimeout(resume, 20));
};

async function verify() {
  const { code, stdout } = await runLedger(['verify'], { DATABASE_URL: lab.url });
  expect(stdout).toContain('OK: nothing diverges');
  expect(code).toBe(0);
}

describe('a failover', () => {
  it('loses nothing that was answered, where the standby is synchronous', async () => {
    const service = await started();
    const partner = await new OperatorApi(service.url).partner(['5000.00', '0.00']);
    const api = await PartnerApi.login(service.url, partner.credentials);
    const [source, destination] = partner.accounts as [string, string];
    await lab.makeSynchronous();
    const clients = ['a', 'b', 'c', 'd'].map((name) => transfers(api, destination, name));
    const done = () => clients.flatMap((client) => client.done());
    await until(() => done().length >= 100);
    await lab.failOver();
    const before = done().length;
    await until(() => done().length >= before + 100);
    await Promise.all(clients.map((client) => client.stop()));

    const answers = new Map(clients.flatMap((client) => [...client.answers]));
    for (const [key, answer] of answers) {
      const again = await api.transfer(destination, '1.00', key);
      expect(again.status).toBe(201);
      if (answer?.status !== 201) continue;
      expect(again.body).toEqual(answer.body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    expect((await api.balance(source)).available).toBe(`${5_000 - answers.size}.00`);
    expect((await api.balance(destination)).available).toBe(`${answers.size}.00`);
    expect((await call(service.url, 'GET', '/health/ready')).status).toBe(200);
    await verify();
  }, 120_000);

  it('leads to a standby that lagged: what it never had is forgotten, by every process', async () => {
    const [one, two] = [await started({ WORKERS: '2' }), await started()];
    const operator = new OperatorApi(one.url);
    const partner = await operator.partner(['5000.00', '0.00']);
    const [source, destination] = partner.accounts as [string, string];
    const api = await PartnerApi.login(one.url, partner.credentials);
    const other = await operator.post(`/accounts/${source}/access-keys`, {});
    const logIn = (service: Service, body: object) => call(service.url, 'POST', '/partners-int/login', { body });
    const kept = await api.transfer(destination, '1.00', 'kept');
    expect((await logIn(two, other)).status).toBe(200);

    await lab.cutOff();
    const lost = await api.transfer(destination, '10.00', 'lost');
    const unknown = await operator.partner(['100.00', '0.00']);
    const ghost = await PartnerApi.login(two.url, unknown.credentials);
    const disabled = await call(one.url, 'POST', `/admin/access-keys/${other.accessKey}/disable`, {
      token: ADMIN_TOKEN,
    });
    expect([lost.status, disabled.status]).toEqual([201, 200]);

    await lab.failOver();
    const clients = [one, two].map(({ url }, i) => transfers(api.on(url), destination, `after-${i}`));
    await until(() => clients.every((client) => client.done().length >= 20));
    await Promise.all(clients.map((client) => client.stop()));
    const after = clients.flatMap((client) => [...client.answers.keys()]);
    for (const key of after) expect((await api.transfer(destination, '1.00', key)).status).toBe(201);

    for (const service of [one, two]) {
      expect((await ghost.on(service.url).get('/accounts')).status).toBe(401);
      expect((await logIn(service, unknown.credentials)).status).toBe(401);
      expect((await logIn(service, other)).status).toBe(200);
      const { body } = await api.on(service.url).get(`/accounts/transactions/${kept.body.data.id}`);
      expect(body.data.transaction.state).toBe('Completed');
      expect((await api.on(service.url).get(`/accounts/transactions/${lost.body.data.id}`)).status).toBe(404);
      expect((await api.on(service.url).balance(source)).available).toBe(`${5_000 - 1 - after.length}.00`);
    }
    // Whoever was answered for what is gone says so: an operator has to settle it.
    const readiness = async ({ url }: Service) =>
      Promise.all(Array.from({ length: 10 }, () => call(url, 'GET', '/health/ready')));
    const answers = await eventually(async () => {
      const all = await readiness(one);
      return all.every(({ status }) => status === 503) && all;
    });
    for (const { body } of answers) expect(body.error.message).toMatch(GONE);
    expect(one.output()).toContain('AN EVENT THAT WAS ANSWERED IS NOT IN THE LOG');
    const scrape = (await call(one.url, 'GET', '/metrics')).body;
    expect(new Set(sample(scrape, 'ledger_checkpoint_refused', { partition: '1' }))).toEqual(new Set([1]));
    for (const { status } of await readiness(two)) expect(status).toBe(200);
    const repeated = await api.transfer(destination, '10.00', 'lost');
    expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([201, null]);
    await verify();
  }, 120_000);
});

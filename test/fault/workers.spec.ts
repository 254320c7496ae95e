import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { tellEvents } from '../support/told-events.js';
import { isRunning, workerOf, workersOf } from '../support/workers.js';

/** One service with two workers: what docs/scale.md promises of them. */

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;
let api: PartnerApi;

const begin = async (env: Record<string, string> = {}) => {
  service = await startService(database.url, { WORKERS: '2', PUBLIC_URL: '', ...env });
  operator = new OperatorApi(service.url);
};

/** By the log. */
const transfersTo = async (account: string) => {
  await tellEvents(database);
  const [row] = await database.query<{ transfers: number }>(
    `select count(*)::int as transfers from told.event where type = 'TransferSettled' and data::text like $1`,
    [`%${account}%`],
  );
  return row!.transfers;
};

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe('a service with two workers', () => {
  beforeAll(async () => {
    await begin();
    partner = await operator.partner(['1000.00', '0.00']);
    api = await PartnerApi.login(service.url, partner.credentials);
  });
  afterAll(() => service.stop());

  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  /** Sums of a counter by worker. */
  const sums = async (name: string) => {
    const found = new Map<string, number>();
    for (const [, labels, value] of (await metrics()).matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, 'gm'))) {
      const worker = /worker="(\d+)"/.exec(labels!)![1]!;
      found.set(worker, (found.get(worker) ?? 0) + Number(value));
    }
    return found;
  };

  it('gives out addresses where both listen, on a port that was free', async () => {
    const asked = await api.post('/accounts/pix/cashin', {
      payment: { value: { original: '1.00' } },
      transaction: { orderId: 'at-our-port' },
      webhook: { url: 'https://aurora.example/hook' },
    });
    const { qrCodeLocation } = asked.body.data.payment;
    expect(qrCodeLocation.startsWith(`${service.url}/`)).toBe(true);
    expect((await fetch(qrCodeLocation)).status).toBe(200);
  });

  it('does not start at the port of another service, which would get a part of its requests', async () => {
    const { port } = new URL(service.url);
    for (const WORKERS of ['1', '2']) {
      const said = startService(database.url, { WORKERS, PORT: port }).then(String, ({ message }: Error) => message);
      expect(await said).toMatch(new RegExp(`^PORT: listen EADDRINUSE: .*:${port}\\n$`, 'm'));
      expect(await said).not.toMatch(/^ +at /m);
    }
  }, 60_000);

  it('makes one transfer of a key that arrives at both at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => api.transfer(partner.accounts[1]!, '1.00', 'once')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(39);
    expect((await api.balance(partner.accounts[1]!)).available).toBe('1.00');
    const requests = await sums('http_request_seconds_count');
    expect([...requests.keys()].sort()).toEqual(['0', '1']);
    expect(Math.min(...requests.values())).toBeGreaterThan(5);
  });

  it('has one writer for each partition', async () => {
    /** Batches by partition and worker. */
    const batches = async () => {
      const found = new Map<string, number>();
      for (const [, labels, count] of (await metrics()).matchAll(/^ledger_batch_commands_count\{(.*)\} (\d+)$/gm))
        found.set(labels!, Number(count));
      return found;
    };
    // One after the other: each goes to the partition that has fewest.
    const others: TestPartner[] = [];
    for (let i = 0; i < 6; i++) others.push(await operator.partner(['100.00', '0.00']));
    const sessions = await Promise.all(others.map(({ credentials }) => PartnerApi.login(service.url, credentials)));
    const before = await batches();
    for (const [i, { accounts }] of others.entries()) {
      await Promise.all(Array.from({ length: 20 }, (_, n) => sessions[i]!.transfer(accounts[1]!, '1.00', `w-${n}`)));
    }
    const wrote = [...(await batches())].filter(([labels, count]) => count > (before.get(labels) ?? 0));
    const partitions = wrote.map(([labels]) => /partition="(\d+)"/.exec(labels)![1]!);
    expect(partitions.sort()).toEqual(['1', '2']);
  });

  it('gives the same refusals by either worker', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => api.transfer(partner.accounts[1]!, '5000.00', `r-${i}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const again = await Promise.all(
      Array.from({ length: 20 }, () => api.transfer(partner.accounts[1]!, '2.00', 'once')),
    );
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([409]));
  });

  it('knows a change of the registry in both, before it is answered', async () => {
    for (let i = 0; i < 5; i++) {
      const { credentials } = await operator.partner(['1.00', '0.00']);
      const own = await PartnerApi.login(service.url, credentials);
      const ask = () => Promise.all(Array.from({ length: 16 }, () => own.get('/accounts')));
      expect(new Set((await ask()).map(({ status }) => status))).toEqual(new Set([200]));
      await operator.post(`/access-keys/${credentials.accessKey}/disable`);
      expect(new Set((await ask()).map(({ status }) => status))).toEqual(new Set([401]));
    }
  });

  it('answers for both whether it can serve', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${service.url}/health/ready`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  it('has no more connections to the database than one process of the same partitions, but for one of each kind', async () => {
    const rows = await database.query<{ purpose: string; count: number }>(`
      select application_name as purpose, count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name like 'payments %' group by 1`);
    const of = (purpose: string) => rows.find((row) => row.purpose === `payments ${purpose}`)?.count ?? 0;
    expect(of('reads')).toBeLessThanOrEqual(10);
    expect(of('background')).toBeLessThanOrEqual(10);
    expect(of('look-ups')).toBeLessThanOrEqual(2);
    // Of each worker: the registry's follower and the notifications.
    expect(of('registry') + of('news')).toBeLessThanOrEqual(4);
    expect(of('lane')).toBeLessThanOrEqual(6);
  });
});

describe('limits of one client', () => {
  afterEach(() => service.stop());

  it('keeps the limit of connections of an address', async () => {
    await begin({ MAX_CONNECTIONS_PER_ADDRESS: '10' });
    const { port } = new URL(service.url);
    const sockets: Socket[] = [];
    for (let i = 0; i < 30; i++) sockets.push(connect(Number(port), '127.0.0.1').on('error', () => undefined));
    await eventually(() => sockets.filter(({ closed }) => !closed).length <= 10);
    expect(sockets.filter(({ closed }) => !closed).length).toBeGreaterThanOrEqual(5);
    sockets.forEach((socket) => socket.destroy());
  });

  it('keeps the rate of a key', async () => {
    await begin({ RATE_LIMIT_PER_SECOND: '20' });
    const { credentials } = await operator.partner(['1.00', '0.00']);
    const own = await PartnerApi.login(service.url, credentials);
    let admitted = 0;
    const began = performance.now();
    while (performance.now() - began < 4_000) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => own.get('/accounts')));
      admitted += answers.filter(({ status }) => status === 200).length;
    }
    const seconds = (performance.now() - began) / 1_000;
    // A second's worth at the beginning, in each worker at most.
    expect(admitted).toBeLessThanOrEqual(20 * (seconds + 2));
    expect(admitted).toBeGreaterThanOrEqual(20 * (seconds - 1));
  });
});

describe('a worker that is killed under load', () => {
  let test: AbortController;
  beforeAll(() => begin());
  afterAll(() => service.stop());
  beforeEach(async () => {
    test = new AbortController();
    partner = await operator.partner(['100000.00', '0.00']);
    api = await PartnerApi.login(service.url, partner.credentials);
  });
  afterEach(() => test.abort());

  /** Every worker that serves has series of its own. */
  const serving = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return new Set(Array.from(text.matchAll(/worker="(\d+)"/g), ([, worker]) => Number(worker)));
  };

  it.each([0, 1])('loses nothing and does nothing twice: number %i', async (which) => {
    const [, destination] = partner.accounts as [string, string];
    const { signal } = test;
    const sent = new Set<string>();
    const other: number[] = [];
    let settled = 0;
    let going = 24;
    let [answered, longest] = [performance.now(), 0];
    // As a client must: what got no answer, or a 5xx, is sent again under its key. None outlives its test.
    const settle = async (key: string) => {
      while (!signal.aborted) {
        const answer = await api.transfer(destination, '1.00', key).catch(() => undefined);
        if (answer?.status === 201) {
          const now = performance.now();
          longest = Math.max(longest, now - answered);
          answered = now;
          return void (settled += 1);
        }
        if (answer) other.push(answer.status);
        await pause(5);
      }
    };
    const client = async (number: number) => {
      for (let i = 0; number < going && !signal.aborted; i++) {
        const key = `k-${which}-${number}-${i}`;
        sent.add(key);
        await settle(key);
      }
    };
    const clients = Array.from({ length: going }, (_, number) => client(number));
    await eventually(() => settled > 300);
    const victim = workerOf(service, which);
    process.kill(victim, 'SIGKILL');
    longest = 0;
    const before = settled;
    // Three of each client: more than what was under way.
    await eventually(() => settled >= before + 3 * going);
    // The other one goes on with them, and waits for nobody: a new process takes longer on any machine.
    expect(await serving()).toEqual(new Set([1 - which]));
    process.stdout.write(`worker ${which} killed: longest pause ${Math.round(longest)} ms\n`);
    // It is given back what it had while there is something to do.
    going = 6;
    await eventually(async () => (await serving()).has(which));
    expect(workerOf(service, which)).not.toBe(victim);
    const together = settled;
    await eventually(() => settled >= together + 10 * going);
    going = 0;
    await Promise.all(clients);
    expect(other.filter((status) => status !== 503)).toEqual([]);
    expect((await api.balance(destination)).available).toBe(`${sent.size}.00`);
    expect(await transfersTo(destination)).toBe(sent.size);
    await assertLedgerSound(database);
    expect(service.output()).toMatch(new RegExp(`"worker":${which}.*a worker ended; the others go on`));
  });

  it('is not missed when it hangs: it is ended, and started again', async () => {
    const [, destination] = partner.accounts as [string, string];
    const [first] = workersOf(service) as [number];
    process.kill(first, 'SIGSTOP');
    await eventually(() => !isRunning(first), { within: 30_000 });
    await eventually(async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => api.transfer(destination, '1.00', `h-${i}`).catch(() => undefined)),
      );
      return answers.every((answer) => answer?.status === 201);
    });
    expect((await api.balance(destination)).available).toBe('8.00');
  }, 60_000);
});

describe('a primary process that is paused', () => {
  beforeAll(() => begin());
  afterAll(() => service.stop());

  it('ends no worker when it goes on: it has asked none meanwhile', async () => {
    const workers = workersOf(service);
    const serves = async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(`${service.url}/health/ready`)));
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    };
    service.process.kill('SIGSTOP');
    try {
      await pause(12_000);
      await serves();
    } finally {
      service.process.kill('SIGCONT');
    }
    // It asks each second, and ends at once what it takes for silent.
    await pause(2_500);
    expect(workersOf(service)).toEqual(workers);
    await serves();
    expect(service.output()).not.toContain('a worker ended');
  });
});

describe('the end of a service with two workers', () => {
  beforeEach(() => begin());

  it('ends the workers of a primary process that is killed', async () => {
    const workers = workersOf(service);
    expect(workers).toHaveLength(2);
    await service.kill('SIGKILL');
    await eventually(() => !workers.some(isRunning));
  });

  it('answers what is under way at SIGTERM, and exits with 0', async () => {
    const { accounts, credentials } = await operator.partner(['1000.00', '0.00']);
    const own = await PartnerApi.login(service.url, credentials);
    const workers = workersOf(service);
    const answers: number[] = [];
    let refused = 0;
    const client = async (number: number) => {
      for (let i = 0; ; i++) {
        const answer = await own.transfer(accounts[1]!, '1.00', `e-${number}-${i}`).catch(() => undefined);
        if (!answer) return void (refused += 1);
        answers.push(answer.status);
      }
    };
    const clients = Array.from({ length: 16 }, (_, number) => client(number));
    await eventually(() => answers.length > 100);
    await service.kill('SIGTERM');
    await Promise.all(clients);
    expect(service.process.exitCode).toBe(0);
    expect(refused).toBe(16);
    expect(new Set(answers)).toEqual(new Set([201]));
    expect(await transfersTo(accounts[1]!)).toBe(answers.length);
    expect(workers.some(isRunning)).toBe(false);
    expect(service.output()).not.toMatch(/"level":"error"/);
  });
});

import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sendRaw } from '../support/raw-http.js';
import { type Service, startService } from '../support/service.js';

const MOST = 100;
const HEAD =
  'POST /partners-int/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n';

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;
const opened: Socket[] = [];

beforeAll(async () => {
  database = await createDatabase();
  const bounds = { MAX_REQUESTS: String(MOST), MAX_CONNECTIONS_PER_ADDRESS: String(2 * MOST), MAX_CONNECTIONS: '350' };
  const sealed = { CHECKPOINT_INTERVAL_SECONDS: '1' };
  service = await startService(database.url, { ...bounds, ...sealed });
  operator = new OperatorApi(service.url);
  partner = await operator.partner(['100000.00', '0.00']);
}, 60_000);
afterAll(async () => {
  opened.forEach((socket) => socket.destroy());
  await service?.stop();
  await database?.drop();
});

/**
 * A connection that sends this, and what it got.
 * @param from a loopback address: each is a client of its own
 * @param reads a client that does not must not begin to: a window that has grown takes megabytes
 */
async function open(text: string, from = '127.0.0.1', reads = true) {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  opened.push(socket);
  const seen = { answer: '', closed: false, socket, openedAt: performance.now(), closedAt: 0 };
  if (reads) socket.on('data', (chunk: Buffer) => (seen.answer += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => Object.assign(seen, { closed: true, closedAt: performance.now() }));
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  return seen;
}

const openMany = (count: number, text: string, from?: string, reads?: boolean) =>
  Promise.all(Array.from({ length: count }, () => open(text, from, reads)));

async function transfersGoOn(): Promise<void> {
  const api = await PartnerApi.login(service.url, partner.credentials);
  for (let i = 0; i < 20; i++) expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);
}

describe('requests whose bodies do not come', () => {
  it('are not at work: others are answered, however many there are', async () => {
    await openMany(MOST + 20, `${HEAD}{`, '127.0.0.2');
    await transfersGoOn();
  });

  it('of one address give way to its next ones, the longest waiting first, and to nobody else’s', async () => {
    const elsewhere = await open(`${HEAD}{`, '127.0.0.4');
    const [first, ...others] = await openMany(2 * MOST, `${HEAD}{`, '127.0.0.3');
    expect(first!.closed).toBe(false);
    const [newest] = await openMany(1, `${HEAD}{`, '127.0.0.3');
    await eventually(() => [first, ...others].filter((one) => one!.closed).length === 1);
    expect(newest!.closed || elsewhere.closed).toBe(false);
    await transfersGoOn();
  });

  it('of all addresses together are bounded too', async () => {
    for (const from of ['127.0.0.5', '127.0.0.6', '127.0.0.7']) await openMany(MOST, `${HEAD}{`, from);
    await eventually(() => opened.filter((socket) => !socket.destroyed).length <= 350);
    await transfersGoOn();
  });
});

describe('requests of one connection that do not wait for their answers', () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

  it('are answered in their order, if they are few', async () => {
    const seen = await open(get('/health/live') + get('/pix/jwks') + get('/health/live'), '127.0.0.11');
    const answered = () => [...seen.answer.matchAll(/\{"(status|keys)"/g)].map(([, name]) => name);
    await eventually(() => answered().length === 3);
    expect(answered()).toEqual(['status', 'keys', 'status']);
  });

  it.each([
    ['what is no HTTP', 'HELLO\r\n\r\n', '400'],
    ['a body that is no HTTP', `${HEAD.replace('Content-Length: 60000', 'Transfer-Encoding: chunked')}zz\r\n`, '400'],
    ['what asks for a tunnel', 'CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n', '404'],
  ])('are answered before %s behind them is refused', async (_, behind, refusal) => {
    const { token } = await PartnerApi.login(service.url, partner.credentials);
    const body = JSON.stringify({ refAccountCredit: partner.accounts[1], transferAmount: '1.00' });
    const head = `POST /partners-int/accounts/transfer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
    const transfer = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const seen = await open(transfer + transfer + behind, '127.0.0.13');
    await eventually(() => seen.closed);
    expect([...seen.answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['201', '201', refusal]);
  });

  it('end with one of HTTP/1.0 in chunks: a proxy may have read another end of it', async () => {
    const login = 'POST /partners-int/login HTTP/1.0\r\nConnection: keep-alive\r\nContent-Type: application/json\r\n';
    const seen = await open(
      `${login}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${get('/pix/jwks')}`,
      '127.0.0.14',
    );
    await eventually(() => seen.closed);
    expect([...seen.answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['400']);
  });

  it('end the connection, if they are many: those of others are not refused', async () => {
    const many = await openMany(3, get('/openapi.json').repeat(1_000), '127.0.0.12', false);
    await transfersGoOn();
    many.forEach(({ socket }) => socket.resume());
    await eventually(() => many.every(({ closed }) => closed));
  });
});

describe('a client that takes its time', () => {
  let slow: Awaited<ReturnType<typeof open>>[];
  let dripping: NodeJS.Timeout;
  // Their half minute passes while the others are tested.
  beforeAll(async () => {
    slow = [await open(`${HEAD}{`, '127.0.0.8'), await open(`${HEAD}{`, '127.0.0.9')];
    dripping = setInterval(() => slow[1]!.socket.write('x'), 300);
  });
  afterAll(() => clearInterval(dripping));

  it('to read an answer is cut off, and an export that nobody reads gives its turn back', async () => {
    await fill();
    const [{ token }, other] = [
      await operator.post('/auditors', { name: 'All' }),
      await operator.post('/auditors', { name: 'Another' }),
    ];
    const get = `GET /audit/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const ask = (by = token) => call(service.url, 'GET', '/audit/export?partition=0', { token: by });
    // One that arrives while `ask` has the turn is refused: more come until it is theirs.
    await eventually(async () => {
      await open(get, '127.0.0.10', false);
      return (await ask()).status === 429;
    });
    expect((await ask(other.token)).status).toBe(200);
    await eventually(async () => (await ask()).status === 200, { within: 30_000 });
  }, 90_000);

  it('to read an export gets no more of it once its auditor is revoked', async () => {
    const { id, token } = await operator.post('/auditors', { name: 'Dismissed' });
    const get = `GET /audit/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const ask = () => call(service.url, 'GET', '/audit/export?partition=0', { token });
    const begun: Awaited<ReturnType<typeof open>>[] = [];
    await eventually(async () => {
      begun.push(await open(get, '127.0.0.13', false));
      return (await ask()).status === 429;
    });
    // It is under way once its first events have come; then it is read no further.
    const isUnderWay = ({ answer }: { answer: string }) => answer.includes('{"kind":"event"');
    let isRevoked = false;
    for (const one of begun) {
      one.socket.on('data', (chunk: Buffer) => {
        one.answer += chunk.toString('latin1');
        if (!isRevoked && isUnderWay(one)) one.socket.pause();
      });
    }
    await eventually(() => begun.some(isUnderWay));
    await operator.post(`/auditors/${id}/revoke`);
    await eventually(async () => (await ask()).status === 401);
    isRevoked = true;
    // It is looked twice a second whether the auditor is one still: a fast machine sends all of the rest in that time.
    await new Promise((resume) => setTimeout(resume, 600));
    for (const { socket } of begun) socket.resume();
    await eventually(() => begun.some((one) => one.closed && isUnderWay(one)));
    for (const { answer } of begun) expect(answer).not.toContain('{"kind":"end"');
  }, 60_000);

  it('to send a request gets 408 to the second, where it is silent and where it drips', async () => {
    await eventually(() => slow.every(({ closed }) => closed), { within: 40_000 });
    for (const one of slow) {
      const seconds = (one.closedAt - one.openedAt) / 1000;
      expect(seconds).toBeGreaterThan(29);
      // The deadline is 30 s; the connection is closed at the latest a second after the answer.
      expect(seconds).toBeLessThan(33);
      expect(one.answer).toMatch(/^HTTP\/1\.1 408 [^]*x-content-type-options: nosniff[^]*"name":"RequestTimeout"/);
    }
  }, 60_000);

  /** More than the buffers of a connection hold. */
  async function fill(): Promise<void> {
    const api = await PartnerApi.login(service.url, partner.credentials);
    const transferDescription = 'x'.repeat(140);
    for (let i = 0; i < 200; i++) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () =>
          api.post('/accounts/transfer', {
            refAccountCredit: partner.accounts[1],
            transferAmount: '1.00',
            transferDescription,
          }),
        ),
      );
      expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    }
    await eventually(async () => {
      const [row] = await database.query(
        `select bool_and(h.position = (select max(size) from checkpoint c where c.partition = h.partition)) as sealed
         from log_head h where h.position > 0`,
      );
      return row!.sealed;
    });
  }
});

describe('a request', () => {
  it.each([
    ['without Host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['with two Hosts', 'GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
    ['for a tunnel', 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n', 404],
    ['with an Expect that nobody meets', 'GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n', 417],
  ])('%s is refused in the shapes of every error', async (_, request, status) => {
    const answer = await sendRaw(service.url, request);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ statusCode: 'Error', error: { name: expect.any(String) } });
    expect(answer.headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' });
  });

  it('of HTTP/1.0 needs no Host', async () => {
    expect((await sendRaw(service.url, 'GET /health/live HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

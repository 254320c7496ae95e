import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { csvOf, FILES, payoutCsv, payoutRow, PayoutFiles } from '../support/payout-files.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;
let session: PartnerApi;
let files: PayoutFiles;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  operator = new OperatorApi(service.url);
}, 60_000);

afterAll(async () => {
  if (database) await assertLedgerSound(database);
  await service?.stop();
  await database?.drop();
});

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

async function newPartner(balance = '1000.00'): Promise<void> {
  partner = await operator.partner([balance]);
  session = await PartnerApi.login(service.url, partner.credentials);
  files = new PayoutFiles(service.url, session.token);
}

describe('a file without fault', () => {
  beforeAll(() => newPartner());

  it('is accepted, run to its end, and told line by line', async () => {
    const { status, body } = await files.upload(payoutCsv(450));
    expect([status, body.statusCode]).toEqual([201, 'Incomplete']);
    expect(body.data).toMatchObject({ state: 'Running', format: 'csv', lines: 450, amount: '450.00' });
    const { id } = body.data;
    const file = await files.ended(id);
    expect(file).toMatchObject({ state: 'Completed', lines: 450 });
    await eventually(async () => (await files.get(id)).body.data.counts.completed === 450, { within: 30_000 });
    const results = await files.results(id);
    expect(results.map(({ line }) => line)).toEqual(Array.from({ length: 450 }, (_, i) => i + 2));
    expect(results[0]).toEqual({
      line: 2,
      orderId: 'order-1',
      value: '1.00',
      state: 'Completed',
      transactionId: expect.any(String),
      endToEndId: expect.stringMatching(/^E/),
      error: null,
    });
    expect((await session.balance(partner.accounts[0]!)).available).toBe('550.00');
  });
});

describe('what is sent', () => {
  beforeAll(() => newPartner());

  it('may be JSON lines, with a webhook or without, or a CSV of a spreadsheet', async () => {
    const account = { ispb: '60701190', branch: '0001', number: '123456', digit: '7' };
    const line = (orderId: string, more: object) =>
      JSON.stringify({
        payment: { value: '1.00', recipient: { cpf: '52998224725', account } },
        transaction: { orderId },
        ...more,
      });
    const lines = [line('j-1', {}), '', line('j-2', { webhook: { url: 'http://127.0.0.1:65535/hook' } })].join('\r\n');
    const json = await files.upload(lines, { 'content-type': 'application/jsonl; charset=utf-8' });
    expect(json.body.data).toMatchObject({ format: 'jsonl', lines: 2, amount: '2.00' });
    expect(await files.ended(json.body.data.id)).toMatchObject({ state: 'Completed' });
    expect((await files.results(json.body.data.id)).map(({ line: at, orderId }) => [at, orderId])).toEqual([
      [1, 'j-1'],
      [3, 'j-2'],
    ]);
    const sheet = `\ufeff${csvOf(payoutRow('s-1')).replaceAll(',', ';')}`;
    const csv = await files.upload(sheet);
    expect(csv.body.data).toMatchObject({ format: 'csv', lines: 1 });
    await files.ended(csv.body.data.id);
    const [header, ...rows] = await files.results(csv.body.data.id, 'csv');
    expect([header, rows.length]).toEqual(['line,orderId,value,state,transactionId,endToEndId,error', 1]);
  });

  it.each([
    ['application/json', '{}'],
    ['application/json', '{}\n{}\n'],
    ['application/json; charset=utf-8', '{}\n'.repeat(30_000)],
    ['text/plain', payoutCsv(1)],
    ['text/csv; charset=iso-8859-1', payoutCsv(1)],
  ])('is of a type that is known: %s (%#)', async (type, text) => {
    const refused = await files.upload(text, { 'content-type': type });
    expect(refused.status).toBe(415);
    if (!type.includes('iso')) expect(refused.body.error.message).toContain('one of text/csv');
  });

  it('is not compressed, and no other route takes it', async () => {
    expect((await files.upload(payoutCsv(1), { 'content-encoding': 'gzip' })).status).toBe(415);
    const options = { token: session.token, body: payoutCsv(1), headers: { 'content-type': 'text/csv' } };
    expect((await call(service.url, 'POST', '/partners-int/accounts/transfer', options)).status).toBe(415);
  });

  it('is accepted once under a key, and another file under it is refused', async () => {
    const headers = { 'idempotency-key': 'payroll-1' };
    const first = await files.upload(payoutCsv(2, 'once'), headers);
    await files.ended(first.body.data.id);
    const again = await files.upload(payoutCsv(2, 'once'), headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    // The first answer, however far the file has come.
    expect(again.body).toEqual(first.body);
    const other = await files.upload(payoutCsv(3, 'once'), headers);
    expect([other.status, other.body.error.details.reason]).toEqual([409, 'IdempotencyKeyReuse']);
  });
});

describe('lines that cannot be paid', () => {
  it('are results with the error of the single route, and stop nobody', async () => {
    await newPartner('5.00');
    const text = csvOf(payoutRow('r-1', '2.00'), payoutRow('r-2', '9.00'), payoutRow('r-3', '3.00'));
    const { id } = (await files.upload(text)).body.data;
    const { counts, amounts } = await files.ended(id);
    expect([counts.error, amounts.error]).toEqual([1, '9.00']);
    const [, refused] = await files.results(id);
    const single = await session.post('/accounts/pix/cashout', {
      payment: { value: '9.00', recipient: { cpf: '52998224725' }, key: { type: 'CPF', value: '52998224725' } },
      transaction: { orderId: 'r-2' },
      webhook: { url: 'http://127.0.0.1:65535/hook' },
    });
    expect(refused).toEqual({
      line: 3,
      orderId: 'r-2',
      value: '9.00',
      state: 'Error',
      transactionId: null,
      endToEndId: null,
      error: single.body.error,
    });
    await eventually(async () => (await files.get(id)).body.data.counts.completed === 2);
  });

  it('count as errors too where the rail does not carry them out, and their money comes back', async () => {
    await newPartner('10.00');
    const { id } = (await files.upload(csvOf(payoutRow('f-1', '1.97'), payoutRow('f-2', '1.99')))).body.data;
    const shown = await eventually(async () => {
      const { data } = (await files.get(id)).body;
      return data.counts.error === 1 && data.counts.reversed === 1 ? data : undefined;
    });
    expect(shown.amounts).toMatchObject({ error: '1.97', reversed: '1.99', registered: '0.00' });
    expect((await session.balance(partner.accounts[0]!)).available).toBe('10.00');
    expect((await files.results(id)).map(({ state, error }) => [state, typeof error?.reason])).toEqual([
      ['Error', 'string'],
      ['Reversed', 'string'],
    ]);
  });

  it('are refused whole where the account is inactive', async () => {
    await newPartner('10.00');
    await operator.post(`/accounts/${partner.accounts[0]}/deactivate`, { reason: 'Teste' });
    const { status, body } = await files.upload(payoutCsv(1));
    expect([status, body.error.details.reason]).toEqual([403, 'CustomerAccountIsNotActive']);
  });
});

describe('a file that is cancelled', () => {
  it('registers nothing from the answer on, and ends', async () => {
    await newPartner('5000.00');
    const { id } = (await files.upload(payoutCsv(5_000))).body.data;
    const { status, body } = await files.cancel(id);
    expect([status, body.data.state, body.data.counts.waiting]).toEqual([200, 'Cancelled', 0]);
    const registered = async () => {
      const [row] = await database.query(`select count(*)::int as n from transaction where account_uid = $1`, [
        partner.accounts[0],
      ]);
      return row!.n as number;
    };
    const atAnswer = await registered();
    const { counts, amounts } = await files.ended(id);
    expect(await registered()).toBe(atAnswer);
    expect(await files.results(id)).toHaveLength(atAnswer);
    expect([counts.cancelled, amounts.cancelled]).toEqual([5_000 - atAnswer, `${5_000 - atAnswer}.00`]);
    const again = await files.cancel(id);
    const refusal = { reason: 'TransitionNotAllowed', state: 'Cancelled' };
    expect([again.status, again.body.error.details]).toEqual([422, expect.objectContaining(refusal)]);
  });
});

describe('bounds', () => {
  it("keep a partner's files from the others", async () => {
    await newPartner('10.00');
    const { id } = (await files.upload(payoutCsv(1))).body.data;
    await files.ended(id);
    const owner = files;
    await newPartner('10.00');
    for (const path of [`/${id}`, `/${id}/results`])
      expect((await call(service.url, 'GET', FILES + path, { token: session.token })).status).toBe(404);
    expect((await files.cancel(id)).status).toBe(404);
    expect((await owner.get('0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e')).status).toBe(404);
    const key = await operator.post(`/accounts/${partner.accounts[0]}/access-keys`, { permissions: ['accounts:read'] });
    const reader = new PayoutFiles(service.url, (await PartnerApi.login(service.url, key)).token);
    expect((await reader.upload(payoutCsv(1))).status).toBe(403);
  });

  it('let one download of a partner run at a time, however many are asked for at once', async () => {
    await newPartner('10.00');
    const { id } = (await files.upload(payoutCsv(1))).body.data;
    await files.ended(id);
    const ask = () => call(service.url, 'GET', `${FILES}/${id}/results`, { token: session.token });
    const lock = new pg.Client({ connectionString: database.url });
    await lock.connect();
    try {
      // What a download reads: it stands where it is, until it has waited too long and breaks off.
      await lock.query('begin; lock table transaction in access exclusive mode');
      const statuses: (number | 'broken off')[] = [];
      const asked = Array.from({ length: 20 }, async () => {
        const status = await ask().then(
          (answer) => answer.status,
          () => 'broken off' as const,
        );
        statuses.push(status);
      });
      const refused = () => statuses.filter((status) => status === 429).length;
      // A slow machine lets one or another have its turn after the first.
      await eventually(() => refused() >= 15);
      await lock.query('rollback');
      await Promise.all(asked);
      for (const status of statuses) expect([200, 429, 'broken off']).toContain(status);
    } finally {
      await lock.end();
    }
    await eventually(async () => (await ask()).status === 200);
  });

  it('keep nothing of what arrives of a file that is refused', async () => {
    await newPartner('10.00');
    const { hostname, port } = new URL(service.url);
    const head = [
      `POST ${FILES} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${session.token}`,
      'Content-Type: text/csv',
      'Content-Length: 60000000',
      '',
      '',
    ].join('\r\n');
    const open = () => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => undefined).write(head);
      return socket;
    };
    const sockets: Socket[] = [];
    try {
      // One of them has the turn, and keeps it. One that arrives while the file below does is refused.
      await eventually(async () => {
        const socket = open();
        sockets.push(socket);
        await once(socket, 'connect');
        return (await files.upload(payoutCsv(1))).status === 429;
      });
      const before = residentMegabytes();
      const refused = Array.from({ length: 30 }, open);
      sockets.push(...refused);
      const answers = await Promise.all(refused.map((socket) => once(socket, 'data') as Promise<[Buffer]>));
      expect(new Set(answers.map(([answer]) => answer.toString().slice(9, 12)))).toEqual(new Set(['429']));
      const part = Buffer.alloc(15 * 1024 * 1024, 'x');
      await Promise.all(refused.map((socket) => new Promise((sent) => socket.write(part, sent))));
      // What passes by is garbage for a while. Read ahead it would be all of the 450 MB.
      expect(residentMegabytes() - before).toBeLessThan(225);
    } finally {
      sockets.forEach((socket) => socket.destroy());
    }
  });

  it('let one file of a partner arrive at a time, and forget one that breaks off', async () => {
    await newPartner('10.00');
    const { abort, ended } = trickle(session.token);
    const stored = async () =>
      (await database.query('select count(*)::int as n from payout_file_input'))[0]!.n as number;
    await eventually(async () => (await stored()) >= 4);
    const second = await files.upload(payoutCsv(1));
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '5']);
    abort.abort();
    await ended;
    await eventually(async () => (await stored()) === 0);
    expect((await files.upload(payoutCsv(1))).status).toBe(201);
  });

  it('give way to another partner’s where they hardly arrive', async () => {
    const slow: ReturnType<typeof trickle>[] = [];
    for (let partners = 0; partners < 4; partners += 1) {
      await newPartner('10.00');
      slow.push(trickle(session.token));
    }
    await newPartner('10.00');
    const statuses: number[] = [];
    await eventually(async () => statuses.push((await files.upload(payoutCsv(3))).status) && statuses.at(-1) === 201);
    expect(new Set(statuses)).toEqual(new Set([503, 201]));
    const [first] = await Promise.race(slow.map(({ ended }) => ended.then((answer) => [answer as Response])));
    expect([first!.status, first!.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await first!.text()).toContain('arrives too slowly');
    slow.forEach(({ abort }) => abort.abort());
    await Promise.all(slow.map(({ ended }) => ended));
    await eventually(async () => (await database.query(`select from payout_file_input`)).length === 0);
  });
});

/** A file of 1,300 lines, of which a further one comes ten times a second. */
function trickle(token: string) {
  const abort = new AbortController();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (abort.signal.aborted) return controller.close();
      if (sent++ > 0) await new Promise((resume) => setTimeout(resume, 100));
      controller.enqueue(Buffer.from(sent === 1 ? payoutCsv(1_300, 'slow') : `${payoutRow(`more-${sent}`)}\n`));
    },
  });
  const ended = fetch(service.url + FILES, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body,
    signal: abort.signal,
    duplex: 'half',
  }).catch((error: unknown) => error);
  return { abort, ended };
}

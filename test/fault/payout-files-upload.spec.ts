import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { MovingClock } from '../support/moving-clock.js';
import { csvOf, FILES, linesGone, payoutCsv, payoutRow, PayoutFiles } from '../support/payout-files.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Service;
let partner: TestPartner;
let session: PartnerApi;
let files: PayoutFiles;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
  service = await startService(proxy.url);
  partner = await new OperatorApi(service.url).partner(['1000.00']);
  session = await PartnerApi.login(service.url, partner.credentials);
  files = new PayoutFiles(service.url, session.token);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await database?.drop();
});

function expectUnavailable({ status, body, headers }: Answer): void {
  expect([status, body.error.name]).toEqual([503, 'ServiceUnavailable']);
  expect(headers.get('retry-after')).toMatch(/^\d+$/);
}

const stored = async () => (await database.query('select count(*)::int as n from payout_file_input'))[0]!.n as number;

describe("a file whose commit's answer was lost", () => {
  it('has its lines, is paid once, and is what its key gives', async () => {
    // More than are requested at once: the runner may have read the first ones already.
    const text = payoutCsv(1_300, 'lost', '0.50');
    const key = { 'idempotency-key': 'lost-1' };
    // The lane alone: everything else that the upload does, such as removing lines, succeeds.
    proxy.cutNextCommit('after', { thenRefuse: 'lanes' });
    const answer = await files.upload(text, key);
    expect([answer.status, answer.body.error.name]).toEqual([503, 'OutcomeUnknown']);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    const [accepted, ...others] = await database.query('select id, ended_at from payout_file');
    expect([accepted?.ended_at, others]).toEqual([null, []]);
    proxy.refuse(false);
    const repeated = await eventually(async () => {
      const again = await files.upload(text, key);
      return again.status === 201 && again;
    });
    expect([repeated.headers.get('idempotent-replayed'), repeated.body.data.id]).toEqual(['true', accepted!.id]);
    expect(await files.ended(repeated.body.data.id)).toMatchObject({ state: 'Completed', lines: 1_300 });
    await eventually(async () => (await session.balance(partner.accounts[0]!)).available === '350.00', {
      within: 30_000,
    });
    // Those of the repetition too.
    await linesGone(database);
    await assertLedgerSound(database);
  }, 90_000);
});

describe('a database that fails during an upload', () => {
  it.each([
    ['looks for what others left', 'delete', 'statement'],
    ['stores lines', 'insert', 'statement'],
  ])('while it %s: 503 with Retry-After', async (_name, event, each) => {
    await whileFailing(event, each, async () => expectUnavailable(await files.upload(payoutCsv(1))));
    expect(await stored()).toBe(0);
  });

  it('between two statements, for good: 503 with Retry-After', async () => {
    const { send, answered } = arriving(650, 'gone');
    await eventually(async () => (await stored()) === 3);
    proxy.refuse(true);
    send(650);
    const answer = await answered;
    proxy.refuse(false);
    expectUnavailable(answer);
    await eventually(async () => (await fetch(`${service.url}/health/ready`)).status === 200);
    await database.query('delete from payout_file_input');
  });

  it('while it removes the lines of a file with a fault: the answer is the faults', async () => {
    const faulty = payoutCsv(650, 'fault') + payoutRow('last', '0.00');
    const { status, body } = await whileFailing('delete', 'row', () => files.upload(faulty));
    expect([status, body.error.faults]).toEqual([400, 1]);
    expect(await stored()).toBe(3);
    expect(service.output()).toContain('are removed later');
    // A file that is accepted is not the fault of what another one left.
    expect((await files.upload(csvOf(payoutRow('after')))).status).toBe(201);
    await database.query('delete from payout_file_input');
  });
});

describe('lines that are stored while others still arrive', () => {
  it('are not taken for abandoned ones by a process whose clock is ahead', async () => {
    const clock = await MovingClock.make();
    await clock.jumpTo(20 * 60 * 1000);
    const ahead = await startService(database.url, {
      ROLE: 'api',
      ...clock.settings,
    });
    try {
      const { send, answered } = arriving(650, 'kept');
      await eventually(async () => (await stored()) === 3);
      expect((await new PayoutFiles(ahead.url, session.token).upload('value,cpf\n')).status).toBe(400);
      send(1);
      const { status, body } = await answered;
      expect([status, body.data.lines]).toEqual([201, 651]);
      expect(await files.ended(body.data.id)).toMatchObject({ state: 'Completed', lines: 651 });
    } finally {
      await ahead.stop();
      await clock.remove();
    }
    await linesGone(database);
  }, 60_000);

  it('and are gone all the same: 503, and no file without its lines is accepted', async () => {
    const { send, answered } = arriving(650, 'lost');
    await eventually(async () => (await stored()) === 3);
    const before = await database.query('select id from payout_file');
    await database.query('delete from payout_file_input');
    send(650);
    expectUnavailable(await answered);
    expect(await database.query('select id from payout_file')).toEqual(before);
    expect(await stored()).toBe(0);
  });
});

/** A file of which so many lines have come. @returns how more come, the last ones, and what is answered */
function arriving(lines: number, name: string) {
  let sender!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (sender = controller) });
  sender.enqueue(Buffer.from(payoutCsv(lines, name, '0.01')));
  const asked = fetch(service.url + FILES, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.token}`, 'content-type': 'text/csv' },
    body,
    duplex: 'half',
  });
  const send = (last: number) => {
    sender.enqueue(Buffer.from(Array.from({ length: last }, (_, i) => `${payoutRow(`more-${i}`, '0.01')}\n`).join('')));
    sender.close();
  };
  const answered = asked.then(async (response): Promise<Answer> => {
    const { status, headers } = response;
    return { status, headers, body: (await response.json()) as any };
  });
  return { send, answered };
}

/** Statements on stored lines fail as if they had waited too long for a lock. */
async function whileFailing<T>(event: string, each: string, work: () => Promise<T>): Promise<T> {
  await database.query(`
    create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'lock timeout' using errcode = '55P03'; end $$`);
  await database.query(`
    create trigger fails before ${event} on payout_file_input for each ${each} execute function fail()`);
  try {
    return await work();
  } finally {
    await database.query('drop trigger fails on payout_file_input; drop function fail()');
  }
}

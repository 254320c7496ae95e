import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';
import { dayBefore, unknownPayout, timerRuns } from '../support/timers.js';

const YESTERDAY = dayBefore(1);

let edge: PixEdge;
beforeAll(async () => {
  edge = await PixEdge.start();
}, 60_000);
afterAll(async () => {
  await assertLedgerSound(edge.database);
  await edge.stop();
});

const admin = (method: string, path: string, body?: unknown) =>
  call(edge.service.url, method, `/admin/reconciliation${path}`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    body,
  });
const cases = async (query = '') => (await admin('GET', `/cases${query}`)).body.data;
const night = () => timerRuns(edge.database, 'pix-reconcile');
const openCases = async () =>
  Number(/^pix_reconciliation_cases_open (\d+)$/m.exec((await edge.get('/metrics')).body as string)?.[1]);

describe('what the night finds different', () => {
  let reference: string;

  it('is not looked for where nothing was yet: a service that was just set up waits for its first night', async () => {
    expect(await edge.database.query(`select due_at > now() as waits from work where kind = 'pix-reconcile'`)).toEqual([
      { waits: true },
    ]);
    expect(await edge.database.query('select day from reconciled_day')).toEqual([]);
  });

  it('is a case, one however often the day is compared', async () => {
    reference = await unknownPayout(edge.database, YESTERDAY, 12_345);
    await night();
    const { items } = await cases();
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        day: YESTERDAY,
        kind: 'PaymentOut',
        reference,
        transactionId: null,
        rail: '123.45',
        ledger: null,
        status: 'Open',
        openedAt: expect.any(String),
        closedAt: null,
        closedBy: null,
        note: null,
      },
    ]);
    await night();
    await edge.killAndRestart();
    await night();
    expect((await cases()).items).toEqual(items);
    expect(await openCases()).toBe(1);
  }, 60_000);

  it('is closed with a word, once', async () => {
    const [{ id }] = (await cases('?status=Open')).items;
    const empty = await admin('POST', `/cases/${id}/close`, { note: '' });
    expect([empty.status, empty.body.error.details[0].path]).toEqual([400, 'note']);
    const note = 'A test payment of the bank.';
    const closed = await admin('POST', `/cases/${id}/close`, { note });
    expect([closed.status, closed.body.data]).toMatchObject([
      200,
      { id, status: 'Closed', note, closedBy: expect.stringMatching(/^operator:/), closedAt: expect.any(String) },
    ]);
    expect((await admin('POST', `/cases/${id}/close`, { note: 'Another.' })).body).toEqual(closed.body);
    expect((await cases('?status=Closed')).items).toEqual([closed.body.data]);
    expect((await cases('?status=Open')).items).toEqual([]);
    expect(await openCases()).toBe(0);
    await night();
    expect((await cases()).items).toEqual([closed.body.data]);
  });

  it('that nobody knows is not found', async () => {
    for (const id of ['0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e', 'nobody']) {
      expect((await admin('POST', `/cases/${id}/close`, { note: 'None.' })).status).toBe(404);
    }
  });

  it('is listed page by page', async () => {
    for (let n = 1; n <= 5; n += 1) await unknownPayout(edge.database, YESTERDAY, n);
    await night();
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: any = await cases(`?status=Open&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.items.map(({ rail }: { rail: string }) => rail));
      cursor = page.nextCursor;
    }
    expect(seen.sort()).toEqual(['0.01', '0.02', '0.03', '0.04', '0.05']);
  });

  it('of a day that is wrong as a whole is a hundred cases, and the comparison lists the rest', async () => {
    await edge.database.query(
      `insert into sandbox.payment_out (end_to_end_id, amount, payee, status, at)
       select 'E99999999' || lpad(n::text, 23, '0'), 100, '', 'Settled', $1::timestamptz from generate_series(1, 150) n`,
      [`${YESTERDAY}T16:00:00Z`],
    );
    await night();
    const first = await cases('?status=Open&limit=100');
    const rest = await cases(`?status=Open&limit=100&cursor=${first.nextCursor}`);
    expect([first.items.length, rest.items.length]).toEqual([100, 5]);
    const { mismatched } = (await admin('GET', `?date=${YESTERDAY}`)).body.data;
    expect(mismatched).toBe(156);
  });
});

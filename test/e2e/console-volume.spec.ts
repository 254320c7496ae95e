import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { signIn, type SignedIn } from '../support/console.js';
import { fillVolume, GROWING, listsOf, type Volume } from '../support/console-volume.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { ofSummaries } from '../../src/inspection/search/leading-index.js';
import { cashOutBody } from '../support/pix-bodies.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

const TRANSACTIONS = 110_000;
const TAX_NUMBER = '52998224725';

let database: TestDatabase;
let service: Service;
let session: SignedIn;
let accounts: Volume['accounts'];

beforeAll(async () => {
  database = await createDatabase();
  const first = await startService(database.url, { LEDGER_PARTITIONS: '2' });
  const partners: TestPartner[] = [];
  for (let i = 0; i < 4; i++) {
    const partner = await new OperatorApi(first.url).partner(['100.00', '0.00', '0.00', '0.00']);
    const api = await PartnerApi.login(first.url, partner.credentials);
    expect((await api.post('/accounts/pix/cashout', cashOutBody.account('1.00'))).status).toBe(201);
    partners.push(partner);
  }
  // Their ends are in the search too: nothing follows the log later.
  await eventually(async () => {
    const [row] = await database.query(`select count(*)::int as n from transaction_search where state = 'Completed'`);
    return row!.n === partners.length;
  });
  await first.stop();
  accounts = partners.flatMap(({ uid, accounts: uids }) =>
    uids.map((account) => ({ uid: account, partner: uid, partition: Number.parseInt(account.slice(15, 18), 16) })),
  );
  const subjects = await database.query<{ partition: number; subject: string }>(
    `select distinct on (partition) partition, details->'recipient'->>'subject' as subject
     from transaction where type = 'CashOut' order by partition, id`,
  );
  await fillVolume((text, values) => database.query(text, values), {
    transactions: TRANSACTIONS,
    accounts,
    subjects: new Map(subjects.map(({ partition, subject }) => [partition, subject])),
  });
  // A vacuum that summarises pages for an index counts as a scan for each summary.
  for (const table of GROWING) await database.query(`alter table ${table} set (autovacuum_enabled = false)`);
  // Without followers: the filled-in rows have no events.
  service = await startService(database.url, { ROLE: 'api' });
  session = await signIn(service.url, ADMIN_TOKEN);
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

describe('over a long history', () => {
  it('a search with few matches examines a part at a time, and finds everything in the end', async () => {
    const filters = 'amount=1.00&state=Reversed&type=CashOut';
    const found: string[] = [];
    let short = 0;
    let cursor: string | null = null;
    do {
      const page: any = await session.get(
        `/audit/transactions?limit=100&${filters}${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      found.push(...page.items.map(({ id }: any) => id));
      if (page.items.length < 100 && page.nextCursor !== null) short += 1;
      cursor = page.nextCursor;
    } while (cursor !== null);
    const rows = await database.query(
      `select id from transaction where amount = 100 and state = 'Reversed' and type = 'CashOut' order by id desc`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(found).toEqual(rows.map(({ id }) => id));
    expect(short).toBeGreaterThan(3);
  });

  it('an auditor of one partner finds all of its own, by cursors that name no transaction of another', async () => {
    const [large] = accounts;
    const { partner } = accounts.find((one) => one.partition === large!.partition && one.partner !== large!.partner)!;
    const { token } = await new OperatorApi(service.url).post('/auditors', { name: 'One', partnerUid: partner });
    const auditor = await signIn(service.url, token);
    const found: string[] = [];
    const named: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: any = await auditor.get(
        `/audit/transactions?limit=100&amount=1.00&state=Reversed${cursor && `&cursor=${cursor}`}`,
      );
      found.push(...page.items.map(({ id }: any) => id));
      cursor = page.nextCursor as string | null;
      if (cursor !== null) named.push(Buffer.from(cursor, 'base64url').toString().slice(-36));
    }
    const rows = await database.query(
      `select id, partner_uid = $1 as own, state from transaction_search where amount = 100 order by id desc`,
      [partner],
    );
    expect(found).toEqual(rows.filter(({ own, state }) => own && state === 'Reversed').map(({ id }) => id));
    const ofOthers = new Set(rows.filter(({ own }) => !own).map(({ id }) => id));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((id) => ofOthers.has(id))).toEqual([]);
  });

  it.each([
    ['everything', '', 'true'],
    ['transfers', 'type=Transfer', `t.type = 'Transfer'`],
    ['what is completed', 'state=Completed', `state = 'Completed'`],
    ['payouts that came back', 'type=CashOut&state=Reversed', `t.type = 'CashOut' and state = 'Reversed'`],
  ])('%s, of everybody and of a partner, is listed without a gap, newest first', async (_what, filters, condition) => {
    const { partner } = accounts[0]!;
    for (const [whose, own] of [
      ['', 'true'],
      [`&partner=${partner}`, `partner_uid = '${partner}'`],
    ]) {
      const found: string[] = [];
      let cursor = '';
      for (let page = 0; page < 6; page++) {
        const { items, nextCursor }: any = await session.get(
          `/audit/transactions?limit=100&${filters}${whose}${cursor}`,
        );
        found.push(...items.map(({ id }: any) => id));
        if (nextCursor === null) break;
        cursor = `&cursor=${nextCursor}`;
      }
      const rows = await database.query(
        `select t.id from transaction t join account a on a.partition = t.partition and a.uid = t.account_uid
         where ${condition} and ${own} order by ${own === 'true' ? 't.id' : 't.position'} desc limit ${found.length}`,
      );
      expect(found.length).toBeGreaterThan(0);
      expect(found).toEqual(rows.map(({ id }) => id));
    }
  });

  it.each([
    ['a frequent one', '1.00', ''],
    ['a frequent one of a partner', '1.00', 'partner'],
    ['a rare one', 'rare', ''],
    ['a rare one of a partner', 'rare', 'partner'],
  ])('transfers of an amount are found, and no others: %s', async (_what, value, whose) => {
    const [rare] = await database.query<{ amount: string; partner: string }>(
      `select t.amount, a.partner_uid as partner
       from transaction t join account a on a.partition = t.partition and a.uid = t.account_uid
       where t.type = 'Transfer' and t.amount > 100 order by t.id offset 1000 limit 1`,
    );
    const amount = value === 'rare' ? rare!.amount : '100';
    const own = whose === '' ? '' : `&partner=${rare!.partner}`;
    const { items }: any = await session.get(
      `/audit/transactions?limit=100&type=Transfer&amount=${(Number(amount) / 100).toFixed(2)}${own}`,
    );
    const rows = await database.query(
      `select t.id from transaction t join account a on a.partition = t.partition and a.uid = t.account_uid
       where t.type = 'Transfer' and t.amount = $1 and ($2 = '' or a.partner_uid::text = $2)
       order by t.id desc limit 100`,
      [amount, whose === '' ? '' : rare!.partner],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(items.map(({ id }: any) => id)).toEqual(rows.map(({ id }) => id));
  });

  it('a rare amount, and the tail of an identifier, are found by the summaries of pages', async () => {
    const [old] = await database.query<{ id: string }>(
      `select id from transaction where type = 'Transfer' order by id offset 1000 limit 1`,
    );
    const found: any = await session.get(`/audit/search?q=${encodeURIComponent(`…${old!.id.slice(-12)}`)}`);
    expect(JSON.stringify(found)).toContain(old!.id);
    await database.query('vacuum analyze transaction');
    // As in the sessions of the service.
    await database.query(`select set_config('enable_seqscan', 'off', false)`);
    for (const condition of ['amount = $2', `right(id::text, 12) = $2::text`]) {
      const plan = await database.query(
        `explain (generic_plan) select id, position from transaction where ${ofSummaries(false)} and ${condition}`,
      );
      expect(JSON.stringify(plan)).toContain('Bitmap Index Scan on transaction_found');
    }
  });

  it('no list and no figure of the console scans a growing table', async () => {
    const before = await scans();
    for (const path of listsOf({ accounts, taxNumber: TAX_NUMBER })) {
      expect({ path, data: await session.get(path) }).toMatchObject({ path, data: expect.anything() });
    }
    // Connections report what they did when they end.
    await service.stop();
    expect(await scans()).toEqual(before);
  });
});

async function scans(): Promise<Record<string, string>> {
  // What this connection did itself, the vacuum above all.
  await database.query('select pg_stat_force_next_flush()');
  const rows = await database.query<{ relname: string; seq_scan: string }>(
    `select relname, seq_scan from pg_stat_user_tables
     where schemaname = 'public' and relname = any($1) order by relname`,
    [GROWING],
  );
  return Object.fromEntries(rows.map(({ relname, seq_scan }) => [relname, seq_scan]));
}

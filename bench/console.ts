import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { fillVolume, GROWING, listsOf } from '../test/support/console-volume.ts';
import { ADMIN_TOKEN, type BenchService, startDatabase, startService } from './server.ts';
import { type ConsolePage, openConsolePage } from './console-page.ts';
import { seed } from './seed.ts';

/**
 * How long every list and figure of the console takes over a long history, and whether any of them reads a table
 * through. `npm run bench:console -- --transactions 1000000`; with `--browser 1` also how long the same takes for the
 * page in Chromium and for `curl`, each call of which makes a connection of its own, and the ratio of the two.
 */
const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const TRANSACTIONS = option('transactions', 1_000_000);
const PARTNERS = option('partners', 20);
const ACCOUNTS = option('accounts', 10);
const RUNS = option('runs', 20);
const LIMIT_MS = 200;
const LIMIT_RATIO = 1.5;
const TAX_NUMBER = '52998224725';

const say = (line: string) => process.stdout.write(`${line}\n`);
const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);

/** The settings that two processes over one database must share. */
const env = {
  KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
  MASTER_KEY: Buffer.alloc(32, 2).toString('base64'),
};

const database = await startDatabase();
const pool = new pg.Pool({ connectionString: database.url, max: 1 });
pool.on('error', () => undefined);
let service: BenchService | undefined;
let page: ConsolePage | undefined;
const query = async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
  (await pool.query<Row>(text, values)).rows;
try {
  service = await startService(database.url, env);
  const partners = await seed(service.url, PARTNERS, ACCOUNTS);
  for (const { token } of partners) await payOut(service.url, token);
  await service.stop();
  service = undefined;
  const accounts = partners.flatMap(({ uid, accounts: uids }) =>
    uids.map((account) => ({ uid: account, partner: uid, partition: Number.parseInt(account.slice(15, 18), 16) })),
  );
  const began = performance.now();
  await fillVolume(query, { transactions: TRANSACTIONS, accounts, subjects: await someSubjects() });
  await pool.query('vacuum');
  say(`${TRANSACTIONS} transactions of ${PARTNERS} partners in ${Math.round((performance.now() - began) / 1000)} s`);

  // Without followers: the filled-in rows have no events.
  service = await startService(database.url, { ...env, ROLE: 'api' });
  const cookie = await signIn(service.url);
  if (option('browser', 0)) page = await openConsolePage(service.url);
  const before = await scans();
  const rows = [];
  for (const path of listsOf({ accounts, taxNumber: TAX_NUMBER })) {
    const times: number[] = [];
    let bytes = 0;
    for (let i = 0; i < RUNS; i++) {
      const started = performance.now();
      const answer = await fetch(service.url + path, { headers: { cookie } });
      bytes = (await answer.text()).length;
      times.push(performance.now() - started);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    }
    const inOrder = sorted(times);
    const inPage = page && sorted(await page.times(path, RUNS));
    const byCurl = page && sorted(Array.from({ length: RUNS }, () => curl(service!.url + path, cookie)));
    rows.push({
      path: path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…').replace(/T[\d:.]+Z/g, ''),
      'first ms': Number(times[0]!.toFixed(1)),
      'median ms': Number(inOrder[RUNS >> 1]!.toFixed(1)),
      'max ms': Number(inOrder.at(-1)!.toFixed(1)),
      kB: Math.round(bytes / 1024),
      ...(inPage &&
        byCurl && {
          'page median ms': Number(inPage[RUNS >> 1]!.toFixed(1)),
          'curl median ms': Number(byCurl[RUNS >> 1]!.toFixed(1)),
          ratio: Number((inPage[RUNS >> 1]! / byCurl[RUNS >> 1]!).toFixed(2)),
        }),
    });
  }
  await page?.close();
  page = undefined;
  await service.stop();
  service = undefined;
  console.table(rows);
  const after = await scans();
  const read = GROWING.filter((table) => after.get(table) !== before.get(table));
  const slow = rows.filter((row) => row['max ms'] >= LIMIT_MS);
  say(read.length === 0 ? 'No table was read through.' : `READ THROUGH: ${read.join(', ')}`);
  say(slow.length === 0 ? `Every answer within ${LIMIT_MS} ms.` : `${slow.length} lists took ${LIMIT_MS} ms or more`);
  const slower = rows.filter(({ ratio = 0 }) => ratio > LIMIT_RATIO);
  if (slower.length > 0) say(`${slower.length} lists take the page more than ${LIMIT_RATIO} times as long`);
  process.exitCode = read.length + slow.length + slower.length === 0 ? 0 : 1;
} finally {
  await page?.close();
  await service?.stop();
  await pool.end();
  await database.stop();
}

/** Milliseconds that `curl` says a request took, from its start to the last byte. */
function curl(url: string, cookie: string): number {
  const took = execFileSync('curl', ['-s', '-o', '/dev/null', '-w', '%{time_total}', '-H', `cookie: ${cookie}`, url]);
  return Number(took.toString()) * 1000;
}

/** A payout, so that the partner has a data subject of that tax number. */
async function payOut(base: string, token: string): Promise<void> {
  const body = {
    payment: {
      value: '1.00',
      recipient: {
        name: 'Maria',
        cpf: TAX_NUMBER,
        account: { ispb: '60701190', branch: '0001', number: '123456', digit: '7' },
      },
    },
    transaction: { orderId: 'bench' },
    webhook: { url: 'http://127.0.0.1:65535/hook' },
  };
  const answer = await fetch(`${base}/partners-int/accounts/pix/cashout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`cash-out: ${answer.status} ${await answer.text()}`);
}

async function someSubjects(): Promise<Map<number, string>> {
  const rows = await query<{ partition: number; subject: string }>(
    `select distinct on (partition) partition, details->'recipient'->>'subject' as subject
     from transaction where type = 'CashOut' order by partition, id`,
  );
  return new Map(rows.map(({ partition, subject }) => [partition, subject]));
}

async function signIn(base: string): Promise<string> {
  const answer = await fetch(`${base}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-console': '1', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ credential: ADMIN_TOKEN }),
  });
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.status}`);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}

/** How often each growing table was read from end to end; the server counts. */
async function scans(): Promise<Map<string, string>> {
  await pool.query('select pg_stat_clear_snapshot()');
  const rows = await query<{ relname: string; seq_scan: string }>(
    `select relname, seq_scan from pg_stat_user_tables where schemaname = 'public' and relname = any($1)`,
    [GROWING],
  );
  return new Map(rows.map(({ relname, seq_scan }) => [relname, seq_scan]));
}

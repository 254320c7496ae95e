import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { offer } from './generator.ts';
import { cpuOf, peakMemoryOf } from './processes.ts';
import { quiet } from './quiet.ts';
import { ADMIN_TOKEN, type BenchService, startDatabase, startService } from './server.ts';
import { seed, type SeededPartner } from './seed.ts';

/**
 * The effect of clients without a token, which fetch images, receipts or signed charges in a closed loop, on a
 * partner's transfers. `node bench/public-reads.ts --seconds 4 --clients 64 --rounds 2 --only receipts --main
 * dist/main.js`
 */
const option = (name: string, fallback: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1]!;
};
const SECONDS = Number(option('seconds', '4'));
const CLIENTS = Number(option('clients', '64'));
const ROUNDS = Number(option('rounds', '2'));
const MAIN = option('main', '');
const ONLY = option('only', '');
/** Clients of the partner, who must not be affected. */
const TRANSFERRING = 4;
/** How many of each kind are fetched, in turn. */
const RESOURCES = 64;

const KEY_PEPPER = Buffer.alloc(32, 1).toString('base64');
const built = (path: string) => import(new URL(`../dist/src/${path}`, import.meta.url).href);
const { ReceiptAddresses } = (await built(
  'pix/queries/receipt/receipt-address.js',
)) as typeof import('../src/pix/queries/receipt/receipt-address.js');
const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<'start', string> };

const say = (line: string) => process.stdout.write(`${line}\n`);

async function post(url: string, body: unknown, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { data: any };
}

/** The fetched resources: open charges, and receipts of settled payments. */
async function resources(service: BenchService, { token }: SeededPartner, databaseUrl: string) {
  const charge = async () => {
    const answer = await post(
      `${service.url}/partners-int/accounts/pix/cashin`,
      {
        payment: { value: { original: '10.00' } },
        transaction: { orderId: 'bench' },
        webhook: { url: 'http://127.0.0.1:65535/' },
      },
      token,
    );
    return { id: answer.data.transaction.id as string, code: answer.data.payment.qrCode as string };
  };
  const open = await Promise.all(Array.from({ length: RESOURCES }, charge));
  const payer = {
    name: 'Ana Lima',
    taxNumber: '52998224725',
    ispb: '00000000',
    branch: '0001',
    number: '12345',
    digit: '6',
  };
  const paid = await Promise.all(Array.from({ length: RESOURCES }, charge));
  for (const { code } of paid) await post(`${service.url}/sandbox/pix/payments`, { qrCode: code, payer });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string; token: string }>(
    `select id, details->>'receiptToken' as token from transaction where id = any($1::uuid[]) and state = 'Completed'`,
    [paid.map(({ id }) => id)],
  );
  await client.end();
  if (rows.length !== RESOURCES) throw new Error(`${rows.length} of ${RESOURCES} receipts`);
  const addresses = new ReceiptAddresses({
    publicUrl: '',
    secrets: { keyPepper: Buffer.from(KEY_PEPPER, 'base64') },
  });
  const images = open.map(({ id }) => `/pix/qrcode/${id}`);
  return {
    'one image': images.slice(0, 1),
    'as many images': images,
    receipts: rows.map(({ id, token }) => addresses.of(id, token)),
    'signed charges': open.map(({ id }) => `/pix/payload/${id.replaceAll('-', '')}`),
  };
}

const database = await startDatabase();
const script = /exec node (.*)$/.exec(scripts.start)![1]!.split(' ');
const service = await startService(
  database.url,
  { KEY_PEPPER, ADMIN_TOKEN, WEBHOOK_RETRY_SCHEDULE: '0s' },
  MAIN ? [...script.slice(0, -1), MAIN] : script,
);
try {
  const [partner] = (await seed(service.url, 1, 8)) as [SeededPartner];
  const fetched = await resources(service, partner, database.url);
  await quiet(database.url);
  const transfers = {
    connections: TRANSFERRING,
    method: 'POST',
    idempotent: true,
    requests: partner.accounts.slice(1).map((uid) => ({
      path: '/partners-int/accounts/transfer',
      token: partner.token,
      body: JSON.stringify({ refAccountCredit: uid, transferAmount: '1.00' }),
    })),
  } as const;
  const measure = (seconds: number) => offer({ ...transfers, url: service.url, seconds });
  await measure(2);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, paths] of Object.entries(fetched).filter(([name]) => name.includes(ONLY))) {
      const alone = (await measure(SECONDS)).latency;
      const attack = offer({
        url: service.url,
        connections: CLIENTS,
        seconds: SECONDS + 1,
        method: 'GET',
        requests: paths.map((path) => ({ path })),
      });
      const cpu = cpuOf(service.process.pid!);
      const began = performance.now();
      const under = (await measure(SECONDS)).latency;
      const used = (cpuOf(service.process.pid!) - cpu) / (performance.now() - began);
      const got = await attack;
      if (alone.p50 === 0 || under.p50 === 0) throw new Error('no transfer succeeded');
      const ms = (value: number) => value.toFixed(1);
      say(
        `${CLIENTS} clients, ${name}: transfers p50 ${ms(alone.p50)} -> ${ms(under.p50)} ms` +
          ` (${(under.p50 / alone.p50).toFixed(1)} x), p99 ${ms(alone.p99)} -> ${ms(under.p99)} ms;` +
          ` fetched ${Math.round(got.perSecond)}/s, p50 ${ms(got.latency.p50)}, refused ${got.failed}; cores ${used.toFixed(2)}`,
      );
    }
  }
  say(`peak memory ${Math.round(peakMemoryOf(service.process.pid!))} MB`);
} finally {
  await service.stop();
  await database.stop();
}

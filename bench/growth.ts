import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openLedger } from './audit-log.ts';
import { offer } from './generator.ts';
import { peakMemoryOf } from './processes.ts';
import { quiet } from './quiet.ts';
import { seed } from './seed.ts';
import { startDatabase, startService } from './server.ts';
import { assertConserved } from './soundness.ts';
import { workloads } from './workloads.ts';

/**
 * What a long history costs: transfers, reads and memory on a log of many events against the same on an empty one, in
 * one run. `npm run bench:growth -- --events 10000000 --seconds 5 --rounds 3`
 */
const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const EVENTS = option('events', 10_000_000);
const SECONDS = option('seconds', 5);
const ROUNDS = option('rounds', 3);
const WORKLOADS = ['transfers, uniform over all accounts', 'read by id', 'list of transactions'];

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const say = (line: string) => process.stderr.write(`${line}\n`);

const database = await startDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'payments-bench-growth-'));

/** The workloads, each some rounds, on a service that was just started. @param first number of its first partner */
async function measure(first: number) {
  const service = await startService(database.url, { DATA_DIR: dataDir });
  try {
    const all = await workloads(service.url, await seed(service.url, 20, 20, first), 'http://127.0.0.1:9/hook');
    const figures: Record<string, { perSecond: number; p99: number }> = {};
    for (const name of WORKLOADS) {
      const plan = { ...all[name]!, url: service.url };
      await offer({ ...plan, seconds: 2 });
      const runs = [];
      for (let i = 0; i < ROUNDS; i++) {
        await quiet(database.url);
        runs.push(await offer({ ...plan, seconds: SECONDS }));
      }
      figures[name] = {
        perSecond: median(runs.map(({ perSecond }) => perSecond)),
        p99: median(runs.map(({ latency }) => latency.p99)),
      };
    }
    return { figures, peak: peakMemoryOf(service.process.pid!) };
  } finally {
    await service.stop();
  }
}

try {
  say('on an empty log');
  const empty = await measure(0);
  say(`appending ${EVENTS} events`);
  const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, ADMIN_TOKEN: 'bench-operator-token-of-24-and-more' };
  const writer = await openLedger(database.url, env, 1_000);
  const rate = await writer.append(EVENTS);
  // The tree under the checkpoints too: behind so many events it works for minutes, at whatever comes next.
  await quiet(database.url, 3_600);
  await writer.stop();
  say(`appended at ${Math.round(rate)} events/s`);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
  say('on the long log');
  const long = await measure(20);
  console.table(
    WORKLOADS.map((name) => ({
      name,
      'empty, per second': Math.round(empty.figures[name]!.perSecond),
      'long, per second': Math.round(long.figures[name]!.perSecond),
      ratio: Number((long.figures[name]!.perSecond / empty.figures[name]!.perSecond).toFixed(2)),
      'p99 ms, empty': Number(empty.figures[name]!.p99.toFixed(1)),
      'p99 ms, long': Number(long.figures[name]!.p99.toFixed(1)),
    })),
  );
  console.log(`Peak memory of the service: ${Math.round(empty.peak)} MB empty, ${Math.round(long.peak)} MB long.`);
  console.log(`Conserved: ${await assertConserved(database.url)} events.`);
} finally {
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { argument, median } from './arguments.ts';
import { openLedger } from './audit-log.ts';
import { offer } from './generator.ts';
import type { LoadResult } from './load.ts';
import { peakMemoryOf } from './processes.ts';
import { quiet } from './quiet.ts';
import { seed } from './seed.ts';
import { ADMIN_TOKEN, type BenchService, sibling, startDatabase, startService } from './server.ts';
import { assertConserved } from './soundness.ts';
import { type Workload, workloads } from './workloads.ts';

/**
 * The cost of a long history: transfers, reads and memory on a log of many events beside those on an empty one,
 * alternating: two databases on one server, with a service for each. `npm run bench:growth -- --events 10000000
 * --seconds 5 --rounds 3`
 */
const EVENTS = Number(argument('events') ?? 10_000_000);
const SECONDS = Number(argument('seconds') ?? 5);
const ROUNDS = Number(argument('rounds') ?? 3);
const WORKLOADS = ['transfers, uniform over all accounts', 'read by id', 'list of transactions'];

const say = (line: string) => process.stderr.write(`${line}\n`);

/** A service on one of the two logs, with its results by round. */
interface Side {
  readonly database: string;
  readonly service: BenchService;
  readonly plans: Record<string, Workload>;
  readonly runs: Record<string, LoadResult[]>;
}

async function begin(database: string, env: Record<string, string>): Promise<Side> {
  const service = await startService(database, env);
  const plans = await workloads(service.url, await seed(service.url, 20, 20), 'http://127.0.0.1:9/hook');
  const runs = Object.fromEntries(WORKLOADS.map((name) => [name, []]));
  return { database, service, plans, runs };
}

async function measure({ database, service, plans }: Side, name: string, seconds: number): Promise<LoadResult> {
  await quiet(database);
  return offer({ ...plans[name]!, url: service.url, seconds });
}

async function grow(database: string, env: Record<string, string>): Promise<void> {
  const writer = await openLedger(database, env, 1_000);
  const rate = await writer.append(EVENTS);
  say(`appended at ${Math.round(rate)} events/s`);
  // The tree of the checkpoints too: after so many events it takes minutes, and would disturb the measurements.
  await quiet(database, 3_600);
  await writer.stop();
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

const server = await startDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'payments-bench-growth-'));
const sides: Side[] = [];
try {
  const database = await sibling(server.url, 'bench_long');
  say(`appending ${EVENTS} events`);
  await grow(database, { DATA_DIR: dataDir, DATABASE_URL: database, ADMIN_TOKEN });
  sides.push(await begin(server.url, {}));
  sides.push(await begin(database, { DATA_DIR: dataDir }));
  const [empty, long] = sides as [Side, Side];
  say('warming up');
  for (const name of WORKLOADS) for (const side of sides) await measure(side, name, 2);
  for (let i = 0; i < ROUNDS; i++) {
    say(`round ${i + 1} of ${ROUNDS}`);
    for (const name of WORKLOADS) {
      for (const side of i % 2 === 0 ? [empty, long] : [long, empty]) {
        side.runs[name]!.push(await measure(side, name, SECONDS));
      }
    }
  }
  const perSecond = (side: Side, name: string) => median(side.runs[name]!.map((run) => run.perSecond));
  const p99 = (side: Side, name: string) => median(side.runs[name]!.map(({ latency }) => latency.p99));
  console.table(
    WORKLOADS.map((name) => ({
      name,
      'empty, per second': Math.round(perSecond(empty, name)),
      'long, per second': Math.round(perSecond(long, name)),
      ratio: Number((perSecond(long, name) / perSecond(empty, name)).toFixed(2)),
      'p99 ms, empty': Number(p99(empty, name).toFixed(1)),
      'p99 ms, long': Number(p99(long, name).toFixed(1)),
    })),
  );
  const [less, more] = sides.map(({ service }) => Math.round(peakMemoryOf(service.process.pid!)));
  console.log(`Peak memory of the service: ${less} MB empty, ${more} MB long.`);
  for (const side of sides) console.log(`Conserved: ${await assertConserved(side.database)} events.`);
} finally {
  for (const { service } of sides) await service.stop();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

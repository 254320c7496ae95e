import { offer } from './generator.ts';
import type { LoadResult } from './load.ts';
import { cpuOf, peakMemoryOf, serverCpu, withWorkers } from './processes.ts';
import { quiet } from './quiet.ts';
import { seed } from './seed.ts';
import { type BenchService, sibling, startDatabase, startService } from './server.ts';
import { assertConserved } from './soundness.ts';
import { type Workload, workloads } from './workloads.ts';

/**
 * One service with one worker, with two and with more, in turns: each over a database of its own on one server.
 * `npm run bench:workers -- --workers 1,2,4,8 --partitions 8 --seconds 3 --rounds 3 --only 'transfers, uniform'`
 */
const option = (name: string, fallback: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1]!;
};
const WORKERS = option('workers', '1,2').split(',').map(Number);
const PARTITIONS = option('partitions', '2');
const SECONDS = Number(option('seconds', '3'));
const ROUNDS = Number(option('rounds', '3'));
const PARTNERS = Number(option('partners', '20'));
const ACCOUNTS = Number(option('accounts', '50'));
const ONLY = option('only', 'transfers, uniform');

interface Run extends LoadResult {
  /** Microseconds of processor time for each request. */
  readonly service: number;
  readonly database: number;
}

interface Side {
  readonly workers: number;
  readonly database: string;
  readonly service: BenchService;
  readonly plans: readonly (readonly [string, Workload])[];
  readonly runs: Map<string, Run[]>;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const say = (line: string) => process.stderr.write(`${line}\n`);
const server = await startDatabase();
const databaseCpu = await serverCpu(server.url);
const sides: Side[] = [];

async function begin(workers: number): Promise<Side> {
  const database = await sibling(server.url, `workers_${workers}`);
  const service = await startService(database, { WORKERS: `${workers}`, LEDGER_PARTITIONS: PARTITIONS });
  const partners = await seed(service.url, PARTNERS, ACCOUNTS);
  const plans = Object.entries(await workloads(service.url, partners, 'http://127.0.0.1:9/hook'));
  return { workers, database, service, plans: plans.filter(([name]) => name.includes(ONLY)), runs: new Map() };
}

async function measure({ database, service }: Side, plan: Workload, seconds = SECONDS): Promise<Run> {
  await quiet(database);
  const used = () => withWorkers(service.process.pid!).reduce((sum, pid) => sum + cpuOf(pid), 0);
  const [service0, database0] = [used(), databaseCpu()];
  const run = await offer({ ...plan, url: service.url, seconds });
  // The first second of the load's is not counted in `succeeded`, but is in the processor's time.
  const requests = run.perSecond * (seconds + 1);
  const each = (ms: number) => (ms * 1_000) / requests;
  return { ...run, service: each(used() - service0), database: each(databaseCpu() - database0) };
}

try {
  for (const workers of WORKERS) sides.push(await begin(workers));
  const names = sides[0]!.plans.map(([name]) => name);
  say('warming up');
  for (const side of sides) for (const [, plan] of side.plans) await measure(side, plan, 4);
  for (let i = 0; i < ROUNDS; i++) {
    say(`round ${i + 1} of ${ROUNDS}`);
    for (const name of names) {
      for (const side of i % 2 === 0 ? sides : sides.toReversed()) {
        const [, plan] = side.plans.find(([its]) => its === name)!;
        side.runs.set(name, [...(side.runs.get(name) ?? []), await measure(side, plan)]);
      }
    }
  }
  const figure = ({ runs }: Side, name: string, of: (run: Run) => number) => median(runs.get(name)!.map(of));
  console.table(
    names.flatMap((name) =>
      sides.map((side) => ({
        name,
        workers: side.workers,
        'per second': Math.round(figure(side, name, ({ perSecond }) => perSecond)),
        ratio: Number(
          (figure(side, name, (run) => run.perSecond) / figure(sides[0]!, name, (run) => run.perSecond)).toFixed(2),
        ),
        'service µs': Math.round(figure(side, name, (run) => run.service)),
        'database µs': Math.round(figure(side, name, (run) => run.database)),
        'p50 ms': Number(figure(side, name, ({ latency }) => latency.p50).toFixed(1)),
        'p99 ms': Number(figure(side, name, ({ latency }) => latency.p99).toFixed(1)),
        failed: side.runs.get(name)!.reduce((sum, { failed }) => sum + failed, 0),
        rounds: side.runs
          .get(name)!
          .map(({ perSecond }) => Math.round(perSecond))
          .join(' '),
      })),
    ),
  );
  for (const { workers, service, database } of sides) {
    const peaks = withWorkers(service.process.pid!).map((pid) => Math.round(peakMemoryOf(pid)));
    console.log(
      `${workers}: peak memory ${peaks.join(' + ')} MB; conserved: ${await assertConserved(database)} events.`,
    );
  }
} finally {
  for (const { service } of sides) await service.stop();
  await server.stop();
}

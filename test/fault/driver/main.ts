import { parseArgs } from 'node:util';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { depositsOverApiPix } from './deposits.js';
import { outage } from './outage.js';
import { faultsOf, overload } from './overload.js';
import { payoutsOverEfi } from './payouts.js';
import { PostgresServer } from './postgres-server.js';
import type { Book } from './promises.js';
import { Random } from './random.js';
import { Report } from './report.js';
import { runRound } from './round.js';
import { keepSeed } from './seeds.js';
import { ALMOST_NO_QUEUE, World } from './world.js';

/**
 * `npm run test:fault -- --seconds 1800`: rounds of traffic and faults until the time is over.
 * `--seed n` begins with that round; `--rounds n` ends after so many; `--processes 1|2` fixes what is else random.
 * `--mode payouts`: payouts over Efí (`--payouts 10000`), the service killed at each point of their way `--kills`
 * times. `--mode deposits`: deposits and refunds over the API Pix (`--deposits 2000`), likewise, by two processes.
 * `--chaos n`: one in so many calls of their PSP fails, or step of their client. `--mode overload`: five times of what
 * the service can do. `--mode outage`: PostgreSQL gone for 30 s.
 */
const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'faults' },
    seconds: { type: 'string' },
    rounds: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
    faults: { type: 'string', default: '12' },
    clients: { type: 'string', default: '12' },
    processes: { type: 'string' },
    batch: { type: 'string', default: '256' },
    slow: { type: 'string', default: '192' },
    payouts: { type: 'string', default: '10000' },
    deposits: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '6' },
    chaos: { type: 'string', default: '12' },
    times: { type: 'string', default: '5' },
  },
});
/** A world is used for some rounds; then a new one, so that checks do not take ever longer. */
const ROUNDS_A_WORLD = 5;

const say = (line: string) => process.stdout.write(`${line}\n`);
const seconds = (otherwise: number) => Number(values.seconds ?? otherwise);
const firstSeed = Number(values.seed);
const clients = Number(values.clients);

/** Rounds until the time is over, or one fails. @returns whether all of them held */
async function faults(postgres: PostgresServer): Promise<boolean> {
  const until = performance.now() + seconds(120) * 1000;
  const report = new Report();
  let seed = firstSeed;
  let rounds = 0;
  const goOn = () => report.failed.length === 0 && performance.now() < until && rounds < Number(values.rounds);
  while (goOn()) {
    const processes = Number(values.processes ?? new Random(seed).whole(1, 2));
    const world = await World.build(postgres, processes, ALMOST_NO_QUEUE);
    const books: Book[] = [];
    try {
      while (goOn() && books.length < ROUNDS_A_WORLD) {
        const result = await runRound(world, { seed, faults: Number(values.faults), clients }, books);
        books.push(result.book);
        report.add(result);
        rounds += 1;
        say(report.line());
        if (result.wrong.length > 0) await keep(seed, processes, result.wrong);
        seed = new Random(seed).whole(0, 2 ** 32 - 1);
      }
    } finally {
      await world.stop();
    }
  }
  say(report.text());
  return report.failed.length === 0;
}

async function keep(seed: number, processes: number, wrong: readonly string[]): Promise<void> {
  say(wrong.slice(0, 30).join('\n'));
  say(`Kept in test/fault/driver/seeds.json. Once more:
  npm run test:fault -- --seed ${seed} --processes ${processes} --rounds 1`);
  await keepSeed({ seed, processes, why: wrong[0]!.split('\n')[0]!.slice(0, 200) });
}

async function underOverload(postgres: PostgresServer): Promise<boolean> {
  const world = await World.build(postgres, 1, { LEDGER_BATCH_SIZE: values.batch });
  try {
    const [batch, slow, times] = [Number(values.batch), Number(values.slow), Number(values.times)];
    const figures = await overload(world, { batch, slow, times, seconds: seconds(60) });
    const wrong = faultsOf(figures);
    say(JSON.stringify(figures, undefined, 2));
    say(wrong.length === 0 ? 'ok' : wrong.join('\n'));
    return wrong.length === 0;
  } finally {
    await world.stop();
  }
}

async function withoutDatabase(postgres: PostgresServer): Promise<boolean> {
  const world = await World.build(postgres, Number(values.processes ?? 2));
  try {
    const { wrong, ...figures } = await outage(world, seconds(30), clients, firstSeed);
    say(JSON.stringify(figures, undefined, 2));
    say(wrong.length === 0 ? 'ok' : wrong.join('\n'));
    return wrong.length === 0;
  } finally {
    await world.stop();
  }
}

/** @param play the deposits or payouts, of which it says what is wrong */
async function atPsp(
  postgres: PostgresServer,
  play: (database: TestDatabase) => Promise<{ readonly wrong: readonly string[] }>,
): Promise<boolean> {
  const database = await createDatabase({ server: postgres.url });
  try {
    const { wrong, ...figures } = await play(database);
    say(JSON.stringify({ seed: firstSeed, ...figures }, undefined, 2));
    say(wrong.length === 0 ? 'ok' : wrong.slice(0, 30).join('\n'));
    return wrong.length === 0;
  } finally {
    await database.drop();
  }
}

const struck = { kills: Number(values.kills), seed: firstSeed, chaos: Number(values.chaos) };

const modes: Record<string, (postgres: PostgresServer) => Promise<boolean>> = {
  faults,
  overload: underOverload,
  outage: withoutDatabase,
  payouts: (postgres) =>
    atPsp(postgres, (database) =>
      payoutsOverEfi(database, { ...struck, payouts: Number(values.payouts), atOnce: 16 }, say),
    ),
  deposits: (postgres) =>
    atPsp(postgres, (database) => depositsOverApiPix(database, { ...struck, deposits: Number(values.deposits) }, say)),
};
const run = modes[values.mode];
if (!run) throw new Error(`--mode is one of ${Object.keys(modes).join(', ')}`);
const postgres = await PostgresServer.start();
try {
  process.exitCode = (await run(postgres)) ? 0 : 1;
} finally {
  await postgres.stop();
}

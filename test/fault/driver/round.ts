import { call } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { check } from './checks.js';
import { type FaultKind, heal, inflict, planFaults } from './faults.js';
import { Book, type Command } from './promises.js';
import { untilQuiet } from './quiet.js';
import { Random } from './random.js';
import { Traffic } from './traffic.js';
import type { World } from './world.js';

export interface RoundOptions {
  readonly seed: number;
  readonly clients: number;
  /** How many faults the seed chooses, or what goes wrong instead. */
  readonly faults: number | ((traffic: Traffic) => Promise<void>);
}

export interface RoundResult {
  readonly seed: number;
  readonly book: Book;
  /** What happened, in order. */
  readonly faults: readonly FaultKind[];
  /** What is wrong; empty when everything held. */
  readonly wrong: readonly string[];
}

/** Acknowledged commands of a round that are repeated at its end. */
const REPEATED = 40;

/**
 * Traffic and faults, then everything healed, what is not known asked for again, and all of it checked.
 * @param earlier books of the same world: what they promised must still hold
 */
export async function runRound(world: World, options: RoundOptions, earlier: readonly Book[]): Promise<RoundResult> {
  const { seed } = options;
  const random = new Random(seed);
  const name = `r${seed}-${earlier.length}`;
  const book = new Book(name);
  const traffic = new Traffic(world, book, random.fork(), options.clients, name);
  const faults: FaultKind[] = [];
  const wrong: string[] = [];
  try {
    traffic.start();
    if (typeof options.faults === 'number') await inflictAll(random, options.faults, world, traffic, faults);
    else await options.faults(traffic);
    await heal(world);
    await traffic.stop();
    await resolve(world, book, traffic, random);
    await untilQuiet(world);
    wrong.push(...(await check(world, [...earlier, book])));
  } catch (error) {
    await traffic.stop();
    wrong.push((error as Error).stack ?? String(error));
  }
  return { seed, book, faults, wrong };
}

/** One after the other begins; those that last overlap. PostgreSQL is restarted by one of them at a time. */
async function inflictAll(
  random: Random,
  count: number,
  world: World,
  traffic: Traffic,
  happened: FaultKind[],
): Promise<void> {
  const lasting: Promise<void>[] = [];
  let restarting = Promise.resolve();
  for (const fault of planFaults(random, count)) {
    await new Promise((resume) => setTimeout(resume, fault.after));
    const inflicted = async () => {
      if (await inflict(fault, world, traffic)) happened.push(fault.kind);
    };
    if (fault.kind.startsWith('PostgreSQL')) lasting.push((restarting = restarting.then(inflicted)));
    else lasting.push(inflicted());
  }
  await Promise.all(lasting);
}

/**
 * Asks again, with the same keys, until every command is told; forces payouts that wait for it; repeats some answers.
 */
async function resolve(world: World, book: Book, traffic: Traffic, random: Random): Promise<void> {
  await Promise.all(book.untold().map((command) => untilTold(command, traffic, random)));
  const done = book.commands.filter(({ key, attempts }) => key && attempts.some(({ promised }) => promised === 'done'));
  for (let i = 0; i < REPEATED && done.length > 0; i++) await traffic.send(random.pick(done), random);
  for (const id of new Set(traffic.waiting)) await force(world, id, random.pick(['complete', 'fail', 'reverse']));
}

async function untilTold(command: Command, traffic: Traffic, random: Random): Promise<void> {
  await eventually(
    async () => {
      const { promised } = await traffic.send(command, random);
      return promised === 'done' || promised === 'refused' || promised === 'broken';
    },
    { within: 30_000, every: 200 },
  );
}

async function force(world: World, id: string, how: string): Promise<void> {
  const path = `/sandbox/pix/transactions/${id}/${how}`;
  await eventually(
    async () => {
      const { status } = await call(world.instances[0]!.url!, 'POST', path);
      return status === 200 || status === 422;
    },
    { within: 30_000, every: 200 },
  );
}

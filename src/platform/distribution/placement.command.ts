import { type Command, InvalidArgumentError } from 'commander';
import type { DatabaseError } from 'pg';
import { ownerClient } from '../database/owner-client.js';
import { sqlState } from '../database/faults.js';
import { isDistributed, NO_DATABASE } from './distribute.js';
import { moveShard } from './layout.js';
import { assertLogins, type ServiceLogin } from './logins.js';
import { type Move, type Placement, proposeMoves, readPlacement } from './placement.js';
import { DistributionRefused } from './refused.js';

interface Options {
  readonly apply?: boolean;
  readonly seconds: number;
}

/** The coordinator's database. */
interface Address {
  /** As its owner. */
  readonly url: string;
  readonly login: ServiceLogin;
}

/** `ledger placement`. @param address was reached */
export function addPlacement(program: Command, address: () => Promise<Address | undefined>): void {
  program
    .command('placement')
    .description('show which node has which partition, with its size and load, and the moves that would even them out')
    .option('--seconds <n>', 'how long the load is looked at', seconds, 5)
    .option('--apply', 'make the moves, one partition after another, while the service goes on')
    .action(async ({ apply, seconds: looked }: Options) => {
      const database = await address();
      if (database === undefined) throw new DistributionRefused(NO_DATABASE);
      const client = ownerClient(database.url, 'ledger placement');
      await client.connect();
      try {
        if (!(await isDistributed(client)))
          throw new DistributionRefused('This database is on one server: nothing is placed.');
        const placement = await readPlacement(client, looked);
        show(placement);
        const moves = proposeMoves(placement);
        if (moves.length === 0) return say('No move would even them out.');
        const targets = new Set(moves.map(({ to }) => placement.nodes.get(to)!));
        if (apply) await assertLogins(database.login, targets, 'Nothing was moved.');
        for (const move of moves) {
          const what = describe(move, placement);
          if (!apply) {
            say(`proposed: ${what}`);
            continue;
          }
          const began = performance.now();
          await moveShard(client, { ...move, online: !move.isEmpty }).catch((error: unknown) => {
            throw notMoved(what, error);
          });
          say(`moved: ${what}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
        }
      } catch (error) {
        // Class 08: a node that is needed cannot be reached.
        if (!/^08/.test((error as { code?: string }).code ?? '')) throw error;
        throw new DistributionRefused(
          `A node does not answer; what was moved stays moved. ${(error as Error).message}`,
        );
      } finally {
        await client.end();
      }
    });
}

function describe({ partition, from, to, isEmpty }: Move, { addresses }: Placement): string {
  return `partition ${partition}${isEmpty ? ', not made yet' : ''}: ${addresses.get(from)} -> ${addresses.get(to)}`;
}

/** What Citus says of a move, such as of another one at the same time, has no SQLSTATE of its own. */
function notMoved(what: string, error: unknown): unknown {
  if (sqlState(error) !== 'XX000') return error;
  const { message, detail, hint } = error as DatabaseError;
  const said = [message, detail, hint].filter((one) => one !== undefined).join('. ');
  return new DistributionRefused(
    `Not moved: ${what}; what was moved before stays moved. ${said}. Run the command again once that is over.`,
  );
}

function show({ partitions, addresses }: Placement): void {
  const row = (...cells: (string | number)[]) =>
    say(
      cells
        .map((cell, i) => (i === 1 ? `${cell}`.padEnd(24) : `${cell}`.padStart(10)))
        .join('  ')
        .trimEnd(),
    );
  row('partition', 'node', 'shard', 'MB', 'events', 'events/s');
  for (const { partition, node, shard, bytes, events, eventsPerSecond } of partitions) {
    row(partition, addresses.get(node)!, shard, (bytes / 1e6).toFixed(1), events, eventsPerSecond);
  }
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 3600)) throw new InvalidArgumentError('must be a number from 1 to 3600');
  return value;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

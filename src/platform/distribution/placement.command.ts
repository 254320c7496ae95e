import { type Command, InvalidArgumentError } from 'commander';
import { ownerClient } from '../database/owner-client.js';
import { DistributionRefused, isDistributed, NO_DATABASE } from './distribute.js';
import { moveShard } from './layout.js';
import { type Placement, proposeMoves, readPlacement } from './placement.js';

interface Options {
  readonly apply?: boolean;
  readonly seconds: number;
}

/** `ledger placement`. @param address of the coordinator's database, as its owner; it was reached */
export function addPlacement(program: Command, address: () => Promise<string | undefined>): void {
  program
    .command('placement')
    .description('show which node has which partition, with its size and load, and the moves that would even them out')
    .option('--seconds <n>', 'how long the load is looked at', seconds, 5)
    .option('--apply', 'make the moves, one partition after another, while the service goes on')
    .action(async ({ apply, seconds: looked }: Options) => {
      const databaseUrl = await address();
      if (databaseUrl === undefined) throw new DistributionRefused(NO_DATABASE);
      const client = ownerClient(databaseUrl, 'ledger placement');
      await client.connect();
      try {
        if (!(await isDistributed(client)))
          throw new DistributionRefused('This database is on one server: nothing is placed.');
        const placement = await readPlacement(client, looked);
        show(placement);
        const moves = proposeMoves(placement);
        if (moves.length === 0) return say('No move would even them out.');
        for (const { partition, shard, from, to } of moves) {
          const what = `partition ${partition}: ${placement.nodes.get(from) ?? from} -> ${placement.nodes.get(to)!}`;
          if (!apply) {
            say(`proposed: ${what}`);
            continue;
          }
          const began = performance.now();
          await moveShard(client, { shard, from, to, online: true });
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

function show({ partitions, nodes }: Placement): void {
  const row = (...cells: (string | number)[]) =>
    say(
      cells
        .map((cell, i) => (i === 1 ? `${cell}`.padEnd(24) : `${cell}`.padStart(10)))
        .join('  ')
        .trimEnd(),
    );
  row('partition', 'node', 'shard', 'MB', 'events', 'events/s');
  for (const { partition, node, shard, bytes, events, eventsPerSecond } of partitions) {
    row(partition, nodes.get(node) ?? `node ${node}`, shard, (bytes / 1e6).toFixed(1), events, eventsPerSecond);
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

import type { Command } from 'commander';
import type { Client } from 'pg';
import { ownerClient } from '../database/owner-client.js';
import {
  carryOut,
  createExtension,
  isCitus,
  NO_DATABASE,
  NO_NODES,
  type Plan,
  remainingPlan,
  removeLocalRows,
  summary,
} from './distribute.js';
import { layoutPlan, shardNodes } from './layout.js';
import { assertLogins, type ServiceLogin } from './logins.js';
import { distributionPlan, FRESH, STOP_WRITES } from './plan.js';
import { DistributionRefused } from './refused.js';

export interface DistributionSettings {
  /** URL of the coordinator's database, as its owner. */
  readonly databaseUrl: string | undefined;
  readonly login: ServiceLogin | undefined;
  /** @throws DatabaseUnreachable, DatabasesDiffer */
  readonly assertUsable: () => Promise<void>;
  /** The highest one. */
  readonly partitions: number;
  /** Migrates the schema; with the extension installed, that places the tables too. */
  readonly migrate: (url: string) => Promise<unknown>;
  /** Verifies the ledger, in a process of its own. */
  readonly verify: () => Promise<boolean>;
}

interface Options {
  readonly dryRun?: boolean;
  readonly move?: boolean;
}

/** `ledger distribute`. Settings are read when the command runs. */
export function addDistribute(program: Command, settings: () => DistributionSettings): void {
  program
    .command('distribute')
    .description(
      'make a database a distributed one, on Citus, as its owner (MIGRATION_DATABASE_URL, or else DATABASE_URL); ' +
        'what is done already is not done again',
    )
    .option('--dry-run', 'print the SQL instead of running it')
    .option('--move', 'also where the database holds events: verify, stop writes, move all rows, verify again')
    .action(async ({ dryRun, move }: Options) => {
      const { databaseUrl, login, assertUsable, partitions, migrate, verify } = settings();
      if (databaseUrl === undefined) {
        if (!dryRun) throw new DistributionRefused(NO_DATABASE);
        return print(true, { layout: layoutPlan(partitions), tables: distributionPlan(FRESH), moves: false });
      }
      await assertUsable();
      const client = ownerClient(databaseUrl, 'ledger distribute');
      await client.connect();
      try {
        const plan = await remainingPlan(client, partitions);
        if (dryRun) return print(!(await isCitus(client)), plan);
        if (plan.moves && !move) throw new DistributionRefused(HOLDS_EVENTS);
        await createExtension(client);
        await migrate(databaseUrl);
        if (plan.moves) await moveTables(client, partitions, login, verify);
        const cleaned = await removeLocalRows(client);
        if (plan.moves) await assertVerified(verify, 'after');
        const isDone = plan.tables.length === 0 && cleaned.length === 0;
        say(`${isDone ? 'Nothing was left to be done' : 'Done'}: ${await summary(client)}`);
        if (login)
          await assertLogins(login, (await shardNodes(client)).values(), 'Processes cannot serve its partitions.');
      } finally {
        await client.end();
      }
    });
}

const HOLDS_EVENTS =
  'This database holds events and is not distributed. Its rows can be moved: `ledger distribute --move` verifies the ' +
  'ledger, stops writes until all rows are moved, in one transaction, and verifies again. Back it up first ' +
  '(docs/scale.md).';

async function moveTables(
  client: Client,
  partitions: number,
  login: ServiceLogin | undefined,
  verify: () => Promise<boolean>,
): Promise<void> {
  const nodes = await shardNodes(client);
  if (nodes.size === 0) throw new DistributionRefused(NO_NODES);
  const plan = await remainingPlan(client, partitions);
  // Before writes stop: it takes a while, and changes no table. With it the nodes learn of the service's role.
  await carryOut(client, { ...plan, tables: [] });
  if (login) await assertLogins(login, nodes.values(), 'Nothing was moved.');
  await assertVerified(verify, 'before');
  const began = performance.now();
  await carryOut(client, { ...plan, layout: [] }, STOP_WRITES, (statement, seconds) => {
    const [, table] = /create_\w+_table\('public\.(\w+)'/.exec(statement) ?? [];
    if (table !== undefined) say(`${table}: ${seconds.toFixed(2)} s`);
  });
  say(`Writes were stopped for ${((performance.now() - began) / 1000).toFixed(1)} s.`);
  await client.query('analyze');
}

async function assertVerified(verify: () => Promise<boolean>, when: string): Promise<void> {
  if (!(await verify())) {
    throw new DistributionRefused(
      when === 'before'
        ? 'The ledger does not verify: nothing was moved. See `ledger verify`.'
        : 'The ledger was moved, and does not verify any more: stop the service, and go back to the backup.',
    );
  }
  say(`The ledger verifies, ${when} the move.`);
}

function print(needsExtension: boolean, { layout, tables, moves }: Plan): void {
  const steps = [...layout, ...(tables.length === 0 ? [] : ['begin', ...tables, 'commit'])];
  const lines = [
    ...(needsExtension ? ['create extension citus;'] : []),
    '-- Then the migrations that have not run, as at every start of the service; and:',
    ...(moves ? ['-- (tables with rows: only with --move, which stops writes during the transaction)'] : []),
    ...(steps.length === 0 ? ['-- nothing: every table lives where it is declared to'] : steps).map((line) =>
      line.startsWith('--') ? line : `${line};`,
    ),
  ];
  say(lines.join('\n'));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

import type { Command } from 'commander';
import { Client } from 'pg';
import { createExtension, DistributionRefused, isCitus, remainingPlan, summary } from './distribute.js';
import { distributionPlan, FRESH } from './plan.js';

export interface DistributionSettings {
  /** Of the coordinator's database, as its owner. */
  readonly databaseUrl: string | undefined;
  /** Brings the schema to the newest version; where the extension stands, that places the tables too. */
  readonly migrate: (url: string) => Promise<unknown>;
}

/** `ledger distribute`. Settings are read when the command runs. */
export function addDistribute(program: Command, settings: () => DistributionSettings): void {
  program
    .command('distribute')
    .description(
      'make a fresh database a distributed one, on Citus, as its owner (MIGRATION_DATABASE_URL, or else DATABASE_URL); ' +
        'what is done already is not done again',
    )
    .option('--dry-run', 'print the SQL instead of running it')
    .action(async ({ dryRun }: { dryRun?: boolean }) => {
      const { databaseUrl, migrate } = settings();
      if (databaseUrl === undefined) {
        if (dryRun) return print(true, distributionPlan(FRESH));
        throw new DistributionRefused("DATABASE_URL: must name a database at the cluster's coordinator.");
      }
      const client = new Client({ connectionString: databaseUrl, application_name: 'ledger distribute' });
      await client.connect();
      try {
        const plan = await remainingPlan(client);
        if (dryRun) return print(!(await isCitus(client)), plan);
        await createExtension(client);
        await migrate(databaseUrl);
        process.stdout.write(
          `${plan.length === 0 ? 'Nothing was left to be done' : 'Done'}: ${await summary(client)}\n`,
        );
      } finally {
        await client.end();
      }
    });
}

function print(needsExtension: boolean, plan: readonly string[]): void {
  const lines = [
    ...(needsExtension ? ['create extension citus;'] : []),
    '-- Then the migrations that have not run, as at every start of the service; and in one transaction:',
    ...(plan.length === 0
      ? ['-- nothing: every table lives where it is declared to']
      : ['begin', ...plan, 'commit']
    ).map((line) => (line.startsWith('--') ? line : `${line};`)),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

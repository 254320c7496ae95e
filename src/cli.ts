import './platform/node-version.js';
import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Command } from 'commander';
import { createApplication } from './application.js';
import {
  addAuditCommands,
  AS_OWNER,
  type CliContext,
  type CliSession,
  CommandRefused,
  HistoryAltered,
} from './audit/index.js';
import { WrongKey } from './event-store/index.js';
import { aboutMade, completeSecrets, type Config, ConfigurationError, readSettings } from './platform/config/index.js';
import {
  aboutLostDatabase,
  assertReachable,
  assertSameDatabase,
  Database,
  DatabaseUnfit,
  DatabasesDiffer,
  DatabaseUnreachable,
  DataDirInUse,
  DataDirUnusable,
  EmbeddedPostgresFailed,
  findEmbedded,
  lacksRights,
  MayNotMigrate,
  headGone,
  migrate,
  NotMigrated,
  sqlState,
  startEmbedded,
  TableInUse,
} from './platform/database/index.js';
import { lowerPriority } from './platform/lower-priority.js';
import { addDistribute, addPlacement, DistributionRefused, PlacedOtherwise } from './platform/distribution/index.js';
import { AppError } from './platform/errors/index.js';
import { boundThreadsByTheirOwnLimits } from './platform/thread-heaps.js';

/** Faults whose message is enough, without a stack. */
const EXPLAINED = [
  AppError,
  CommandRefused,
  ConfigurationError,
  DatabaseUnfit,
  DatabasesDiffer,
  DatabaseUnreachable,
  DataDirInUse,
  DataDirUnusable,
  DistributionRefused,
  EmbeddedPostgresFailed,
  HistoryAltered,
  MayNotMigrate,
  NotMigrated,
  PlacedOtherwise,
  TableInUse,
  WrongKey,
];

/** Exit codes: 0 success (and no divergence), 1 divergences, 2 the command failed. */
const DIVERGES = 1;
const FAILED = 2;

/**
 * Uses the configured database, or the embedded one: a running one, or one that is started meanwhile.
 * @param work gets the URL for the service, and that for the database's owner
 */
async function withDatabase<T>(work: (config: Config, url: string, ownerUrl: string) => Promise<T>): Promise<T> {
  const { config, made } = await completeSecrets(readSettings());
  // Standard output is for the command's result.
  if (made?.adminToken) process.stderr.write(aboutMade(made));
  const running = config.databaseUrl ?? (await findEmbedded(config.dataDir));
  const server = running === undefined ? await startEmbedded(config.dataDir) : undefined;
  try {
    const url = running ?? server!.url;
    return await work(config, url, config.migrationDatabaseUrl ?? url);
  } finally {
    await server?.stop();
  }
}

/** The application without its server and without following the log. */
async function withSession<T>(work: (session: CliSession) => Promise<T>): Promise<T> {
  return withDatabase(async (config, databaseUrl, ownerUrl) => {
    await assertReachable('DATABASE_URL', databaseUrl);
    const database = new Database(databaseUrl, () => undefined);
    // Audits are long and not urgent: a service on the same machine goes first.
    lowerPriority();
    try {
      const app = await createApplication({ ...config, role: 'api', logLevel: 'silent' }, database);
      try {
        const owner = async () => {
          await assertOwnersUrl(config.migrationDatabaseUrl, databaseUrl);
          return ownerUrl;
        };
        return await work({ app, config, database, databaseUrl, owner });
      } finally {
        await app.close();
      }
    } finally {
      await database.close();
    }
  });
}

/** Commands read through one URL and write through the other. @throws DatabaseUnreachable, DatabasesDiffer */
async function assertOwnersUrl(ownersUrl: string | undefined, databaseUrl: string): Promise<void> {
  if (ownersUrl === undefined) return;
  await assertReachable('MIGRATION_DATABASE_URL', ownersUrl);
  await assertSameDatabase(databaseUrl, ownersUrl);
}

const program = new Command('ledger').description('What auditors and operators do with the ledger.');
program.showHelpAfterError().exitOverride((error) => {
  process.exit(error.exitCode === 0 ? 0 : FAILED);
});
addAuditCommands(program, { withSession } satisfies CliContext);
addDistribute(program, () => {
  const { databaseUrl, migrationDatabaseUrl, citusDirect, partitions } = readSettings();
  return {
    databaseUrl: migrationDatabaseUrl ?? databaseUrl,
    login: databaseUrl === undefined ? undefined : { url: databaseUrl, goesToNodes: citusDirect },
    assertUsable: async () => {
      if (databaseUrl === undefined) return;
      await assertReachable('DATABASE_URL', databaseUrl);
      await assertOwnersUrl(migrationDatabaseUrl, databaseUrl);
    },
    partitions,
    migrate: (url) => migrate({ url, partitions, onWaiting: sayWaiting, onHeadGone: sayHeadGone }),
    verify,
  };
});
addPlacement(program, async () => {
  const { databaseUrl, migrationDatabaseUrl, citusDirect } = readSettings();
  const url = migrationDatabaseUrl ?? databaseUrl;
  if (url === undefined) return undefined;
  await assertReachable(migrationDatabaseUrl ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL', url);
  return { url, login: { url: databaseUrl ?? url, goesToNodes: citusDirect } };
});

/** Runs `ledger verify`, with its output on standard error. */
async function verify(): Promise<boolean> {
  const child = spawn(process.execPath, [process.argv[1]!, 'verify'], { stdio: ['ignore', 2, 2] });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

function sayWaiting(what: string): void {
  process.stderr.write(`${what} waits for a table that is in use, and is tried again\n`);
}

/** The database is of this version all the same; the exit code says that something is wrong in it. */
function sayHeadGone(partition: number): void {
  process.stderr.write(`${headGone(partition)}\n`);
  process.exitCode = DIVERGES;
}

program
  .command('migrate')
  .description(`bring the database to the schema of this version; ${AS_OWNER}; several at once wait for one another`)
  .action(async () => {
    const done = await withDatabase(async ({ partitions, migrationDatabaseUrl }, _, url) => {
      await assertReachable(migrationDatabaseUrl ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL', url);
      return migrate({ url, partitions, onWaiting: sayWaiting, onHeadGone: sayHeadGone });
    });
    for (const name of done.applied) process.stdout.write(`applied ${name}\n`);
    if (done.partitions.length > 0) process.stdout.write(`made partitions ${done.partitions.join(', ')}\n`);
    if (process.exitCode !== DIVERGES) process.stdout.write(`OK: the database is ready for this version\n`);
  });

/** Of an option that is given twice only the last value would count, unseen. */
function refuseRepeats(command: Command): void {
  command.commands.forEach(refuseRepeats);
  for (const option of command.options) {
    const isRepeatable = Array.isArray(option.defaultValue) || !option.required;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven && !isRepeatable) command.error(`error: option '${option.flags}' is given twice.`);
      isGiven = true;
    });
  }
}
refuseRepeats(program);

boundThreadsByTheirOwnLimits();
// A result that could not be written is none, whatever the command found; it does its work all the same.
let unwritten: unknown;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  unwritten ??= error;
  process.exitCode = FAILED;
  // Who stops reading (`| head`) knows.
  if (error.code !== 'EPIPE') process.stderr.write(`Standard output cannot be written: ${error.message}\n`);
});
// Who started it is gone, as the service of a verification that shows its progress.
process.stderr.on('error', () => process.exit(FAILED));
// What nobody waits for, such as a connection that breaks: 1 would say that something diverges.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(FAILED);
});
program.parseAsync().catch((error: unknown) => {
  if (error !== unwritten) process.stderr.write(`${explain(error)}\n`);
  process.exitCode = FAILED;
});

function explain(error: unknown): string {
  if (lacksRights(error)) return `The database refuses this: ${(error as Error).message}. It ${AS_OWNER}.`;
  const lost = aboutLostDatabase(error);
  if (lost) return lost;
  // No table or column of that name: `replay` and `export` do not ask first which migrations there are.
  if (['42P01', '42703'].includes(sqlState(error) ?? '')) {
    return new NotMigrated((error as Error).message, ', or take the `ledger` of its version').message;
  }
  // Of a file or an address: the message names it.
  if (error instanceof Error && 'syscall' in error) return error.message;
  const isExplained = EXPLAINED.some((kind) => error instanceof kind);
  return isExplained ? (error as Error).message : ((error as Error).stack ?? String(error));
}

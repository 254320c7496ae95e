import 'reflect-metadata';
import { Command } from 'commander';
import { createApplication } from './application.js';
import { addAuditCommands, type CliContext, type CliSession, CommandRefused } from './audit/index.js';
import { WrongKey } from './event-store/index.js';
import { completeSecrets, ConfigurationError, readSettings } from './platform/config/index.js';
import { Database } from './platform/database/index.js';
import { AppError } from './platform/errors/index.js';
import {
  DataDirInUse,
  DataDirUnusable,
  EmbeddedPostgresFailed,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from './platform/embedded-postgres/index.js';

/** Faults whose message is enough; a stack would hide it. */
const EXPLAINED = [
  AppError,
  CommandRefused,
  ConfigurationError,
  DataDirInUse,
  DataDirUnusable,
  EmbeddedPostgresFailed,
  WrongKey,
];

/** Exit codes: 0 done (and nothing diverges), 1 something diverges, 2 the command could not be carried out. */
const FAILED = 2;

/** The application without its server and without following the log, over the configured or the running database. */
async function withSession<T>(work: (session: CliSession) => Promise<T>): Promise<T> {
  const { config } = completeSecrets(readSettings());
  const running = config.databaseUrl ?? (await findEmbeddedPostgres(config.dataDir));
  const server = running === undefined ? await startEmbeddedPostgres({ dataDir: config.dataDir }) : undefined;
  const databaseUrl = running ?? server!.url;
  const database = new Database(databaseUrl, () => undefined);
  try {
    const app = await createApplication({ ...config, role: 'api', logLevel: 'silent' }, database);
    try {
      return await work({ app, config, database, databaseUrl });
    } finally {
      await app.close();
    }
  } finally {
    await database.close();
    await server?.stop();
  }
}

const program = new Command('ledger').description('What auditors and operators do with the ledger.');
program.showHelpAfterError().exitOverride((error) => {
  process.exit(error.exitCode === 0 ? 0 : FAILED);
});
addAuditCommands(program, { withSession } satisfies CliContext);

program.parseAsync().catch((error: unknown) => {
  const explained = EXPLAINED.some((kind) => error instanceof kind);
  process.stderr.write(`${explained ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  process.exitCode = FAILED;
});

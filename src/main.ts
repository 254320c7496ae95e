import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { createApplication } from './application.js';
import { prepareDemo } from './demo.js';
import { assertKeys, WrongKey } from './event-store/index.js';
import { completeSecrets, type Config, ConfigurationError, readSettings } from './platform/config/index.js';
import { Database, migrate } from './platform/database/index.js';
import { createLogger } from './platform/observability/pino-logger.js';
import {
  DataDirInUse,
  DataDirUnusable,
  type EmbeddedServer,
  EmbeddedPostgresFailed,
  startEmbeddedPostgres,
} from './platform/embedded-postgres/index.js';

/** Faults that the operator can mend: their message is enough, a stack would hide it. */
const EXPLAINED = [ConfigurationError, DataDirInUse, DataDirUnusable, EmbeddedPostgresFailed, WrongKey];

async function start(): Promise<void> {
  const { config, made } = completeSecrets(readSettings());
  const server = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir });
  try {
    const url = config.databaseUrl ?? server!.url;
    await migrate({ url, partitions: config.partitions });
    const stop = await run(config, url, server);
    if (made) say(`Made secrets for development, kept in ${made.file}. Operator token: ${made.adminToken}`);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
  } catch (error) {
    await server?.stop();
    throw error;
  }
}

/** Serves until told to stop. @returns stops everything, the embedded database last, and ends the process */
async function run(config: Config, url: string, server: EmbeddedServer | undefined): Promise<() => Promise<void>> {
  const logger = createLogger(config.logLevel);
  const database = new Database(url, (error) => logger.warn({ err: error }, 'an idle database connection broke'));
  const { keyPepper, masterKey } = config.secrets;
  await assertKeys(database, { KEY_PEPPER: keyPepper, MASTER_KEY: masterKey });
  const app = await createApplication(config, database, logger);
  await app.listen(config.port, config.host);
  const { port } = app.getHttpServer().address() as AddressInfo;
  const base = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  say(`Listening on ${base}. API documents: ${base}/docs`);
  if (!config.production) await prepareDemo(app, database, base, say);
  return async () => {
    await app.close();
    await database.close();
    await server?.stop();
    process.exit(0);
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

start().catch((error: unknown) => {
  const explained = EXPLAINED.some((kind) => error instanceof kind);
  process.stderr.write(`${explained ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(1);
});

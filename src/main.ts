import './platform/node-version.js';
import 'reflect-metadata';
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { Logger } from 'pino';
import { createApplication } from './application.js';
import { provesKeyPepper } from './auth/index.js';
import { prepareDemo } from './demo.js';
import { assertKeys, fingerprinted, WrongKey } from './event-store/index.js';
import {
  aboutMade,
  completeSecrets,
  type Config,
  ConfigurationError,
  configurationWarnings,
  processEnvironment,
  readSettings,
} from './platform/config/index.js';
import {
  aboutFewSessions,
  aboutLostDatabase,
  applyOnThread,
  assertMigrated,
  assertReachable,
  Database,
  DatabaseUnfit,
  DatabaseUnreachable,
  DataDirInUse,
  DataDirUnusable,
  EmbeddedPostgresFailed,
  type EmbeddedServer,
  MayNotMigrate,
  headGone,
  migrate,
  NotMigrated,
  startEmbedded,
  TableInUse,
} from './platform/database/index.js';
import { standardOutput } from './platform/observability/log-output.js';
import { createLogger } from './platform/observability/pino-logger.js';
import { startTracing } from './platform/observability/tracing/index.js';
import { PlacedOtherwise } from './platform/distribution/index.js';
import { boundThreadsByTheirOwnLimits } from './platform/thread-heaps.js';
import { workerFlags } from './platform/workers/flags.js';
import { Peers } from './platform/workers/index.js';
import { assertFree, type HeldPort, holdFreePort, listening, PortNotFree } from './platform/workers/listening.js';
import { answerBeats, membershipOf, Primary, WorkerEnded } from './platform/workers/primary.js';
import { shareOf } from './platform/workers/share.js';

/** How long clients have, at shutdown, to receive their answers. */
const HTTP_GRACE_MS = 5_000;

/** Faults that the operator can fix: their message is enough, without a stack. */
const EXPLAINED = [
  ConfigurationError,
  DatabaseUnfit,
  DatabaseUnreachable,
  DataDirInUse,
  DataDirUnusable,
  EmbeddedPostgresFailed,
  MayNotMigrate,
  NotMigrated,
  PlacedOtherwise,
  PortNotFree,
  TableInUse,
  WorkerEnded,
  WrongKey,
];

async function start(): Promise<void> {
  const asked = readSettings();
  const held = asked.port === 0 ? await holdFreePort(asked.host) : undefined;
  const settings = held ? readSettings({ ...processEnvironment(), PORT: `${held.port}` }) : asked;
  const { config, made } = await completeSecrets(settings);
  const membership = membershipOf(processEnvironment());
  if (membership) {
    answerBeats();
    return serve(shareOf(config, membership.workers), config.databaseUrl!, new Peers(membership));
  }
  if (made) process.stdout.write(aboutMade(made));
  const server = config.databaseUrl ? undefined : await startEmbedded(config.dataDir);
  try {
    const url = config.databaseUrl ?? server!.url;
    if (!held) await assertFree(config);
    await assertReachable('DATABASE_URL', url);
    const logger = createLogger(config.logLevel);
    if (config.migrateAtStart) {
      const { migrationDatabaseUrl, partitions } = config;
      if (migrationDatabaseUrl) await assertReachable('MIGRATION_DATABASE_URL', migrationDatabaseUrl);
      const onWaiting = (what: string) => logger.warn(`${what} waits for a table that is in use, and is tried again`);
      const onHeadGone = (partition: number) => logger.error(headGone(partition));
      await migrate({ url: migrationDatabaseUrl ?? url, partitions, onWaiting, onHeadGone }, applyOnThread);
    }
    const few = await aboutFewSessions(url, config.workers, config.partitions);
    if (few) logger.warn(few);
    await (config.workers > 1
      ? serveByWorkers(config, url, held, server)
      : serve(config, url, new Peers(), held, server));
  } catch (error) {
    await server?.stop();
    throw error;
  }
}

/** The primary process of several workers: it has the embedded database, if there is one, and serves nothing itself. */
async function serveByWorkers(
  config: Config,
  url: string,
  held: HeldPort | undefined,
  server: EmbeddedServer | undefined,
): Promise<void> {
  const logger = createLogger(config.logLevel);
  for (const warning of configurationWarnings(config)) logger.warn(warning);
  const flags = workerFlags(process.execArgv, processEnvironment().NODE_OPTIONS, config.workers);
  const environment = { DATABASE_URL: url, PORT: `${config.port}` };
  const primary = await Primary.start(config.workers, environment, flags, logger);
  endAtSignal(config, logger, async () => {
    await primary.stop();
    await server?.stop();
  });
  held?.release();
  announce(config);
}

/** Serves until a signal: then it shuts everything down, the embedded database last, and exits. */
async function serve(
  config: Config,
  url: string,
  peers: Peers,
  held?: HeldPort,
  server?: EmbeddedServer,
): Promise<void> {
  const tracing = await startTracing(config);
  const logger = createLogger(config.logLevel, tracing, peers.worker);
  if (peers.isAlone) for (const warning of configurationWarnings(config)) logger.warn(warning);
  const onIdleError = (error: Error) => logger.warn({ err: error }, 'an idle database connection broke');
  const database = new Database(url, onIdleError, peers.workers);
  if (config.citusDirect) await database.useNodes(config.partitions);
  if (!config.migrateAtStart) await assertMigrated(database, config.partitions);
  // Before the keys are compared: a rotation of the master key looks for lanes, so it cannot run after the comparison.
  const lane = await database.openLane();
  await assertKeys(database, fingerprinted(config.secrets), { KEY_PEPPER: provesKeyPepper });
  const app = await createApplication(config, database, tracing, logger, peers);
  // Before the announcement below: its reader may send a signal at once.
  endAtSignal(config, logger, async () => {
    await closeWithin(HTTP_GRACE_MS, app);
    await tracing.tracer?.close();
    await database.close();
    await server?.stop();
  });
  await peers.listen();
  await app.listen(listening(config, peers.isAlone && !held));
  held?.release();
  // From now on the notification connection shows that this process runs.
  await lane.close();
  if (peers.isAlone) announce(config);
  else process.send!({ serving: true });
  if (config.demoPartner && config.role !== 'worker' && !peers.worker) {
    // A serving process does not end because the demo failed.
    await prepareDemo(app, database, addressOf(config), say).catch((error: unknown) =>
      logger.warn({ err: error }, 'the demo partner could not be made; the next start tries again'),
    );
  }
}

function endAtSignal(config: Config, logger: Logger, stop: () => Promise<void>): void {
  let shutdown: Promise<void> | undefined;
  const end = () => void (shutdown ??= endWithin(config.shutdownSeconds * 1000, stop, logger));
  // Each time: a worker gets a signal of its own and the primary's, and the second one would end it at once.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
}

function addressOf({ host, port }: Config): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function announce(config: Config): void {
  const base = addressOf(config);
  const pages = `API documents: ${base}/docs${config.console.enabled ? `. Console: ${base}/console` : ''}`;
  const serves = config.role === 'worker' ? 'Health and metrics only, it is a worker.' : pages;
  say(`Listening on ${base}. ${serves}`);
}

/** Finishes requests in progress; connections still open after that time are closed. */
async function closeWithin(ms: number, app: INestApplication<Server>): Promise<void> {
  const timer = setTimeout(() => app.getHttpServer().closeAllConnections(), ms);
  await app.close();
  clearTimeout(timer);
}

/**
 * Shuts down in order if that succeeds in time. A hard exit is safe too: unanswered requests promise nothing, and
 * leases expire.
 */
async function endWithin(ms: number, stop: () => Promise<void>, logger: Logger): Promise<void> {
  setTimeout(() => {
    logger.error(`the shutdown took longer than ${ms} ms and was cut short`);
    void exit(1);
  }, ms).unref();
  let code = 0;
  try {
    await stop();
  } catch (error) {
    logger.error({ err: error }, 'the shutdown failed');
    code = 1;
  }
  await exit(code);
}

async function exit(code: number): Promise<void> {
  await standardOutput.written();
  process.exit(code);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

boundThreadsByTheirOwnLimits();
// A full disk must not end a service by what it says there.
process.stdout.on('error', () => undefined);
start().catch((error: unknown) => {
  const explained = EXPLAINED.some((kind) => error instanceof kind);
  const { message, stack = String(error) } = error as Error;
  process.stderr.write(`${explained ? message : (aboutLostDatabase(error) ?? stack)}\n`);
  process.exit(1);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@partner-payments/embedded-postgres';
import pg from 'pg';

export const ADMIN_TOKEN = 'bench-operator-token-of-24-and-more';

export interface BenchDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The database of the run: `DATABASE_URL`, or an embedded PostgreSQL with the settings that `npm start` gives it.
 * @param settings beside those
 */
export async function startDatabase(settings: Record<string, string> = {}): Promise<BenchDatabase> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'payments-bench-'));
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: folder, database: 'payments', settings });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Another database on the same server, new. @returns its URL */
export async function sibling(url: string, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`drop database if exists ${name}`);
  await admin.query(`create database ${name}`);
  await admin.end();
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

export interface BenchService {
  readonly url: string;
  readonly process: ChildProcess;
  /** Its environment: for the CLI, or for a second process on the same database. */
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

/** The command line of the start script, flags of Node included. */
const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<'start', string> };
export const SERVICE = /exec node (.*)$/.exec(scripts.start)![1]!.split(' ');

/**
 * The built service, started as `npm start` does, as a process of its own. Rate limiting stays on, with its limit
 * raised.
 */
export async function startService(
  databaseUrl: string,
  env: Record<string, string> = {},
  script: readonly string[] = SERVICE,
): Promise<BenchService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-bench-service-'));
  const whole = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ADMIN_TOKEN,
    RATE_LIMIT_PER_SECOND: '1000000',
    LOGIN_RATE_LIMIT_PER_SECOND: '0',
    WEBHOOK_RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'warn',
    // Processor time and memory are those of one process.
    WORKERS: '1',
    ...env,
  };
  const service = spawn(process.execPath, script, { env: whole, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  service.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(service, 'exit');
  let url: string | undefined;
  while (!(url = /Listening on (\S+?)\. /.exec(output)?.[1])) {
    if (service.exitCode !== null) throw new Error(`the service ended:\n${output}`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
  return {
    url,
    process: service,
    env: whole,
    stop: async () => {
      service.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

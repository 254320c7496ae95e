import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';

export const ADMIN_TOKEN = 'test-operator-token-of-24-and-more';

/** What stands in PKCS#8 before the 32 bytes of an Ed25519 key (RFC 8410). */
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Settings of every test service: fixed secrets, so that several processes may share a database. */
export const SETTINGS = {
  ADMIN_TOKEN: `tester:${ADMIN_TOKEN}`,
  JWT_SECRET: 'a test secret of more than thirty-two characters',
  KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
  MASTER_KEY: Buffer.alloc(32, 2).toString('base64'),
  // A service signs after a minute: what `verify` says must not depend on whether a test takes that long.
  CHECKPOINT_SIGNING_KEY: Buffer.concat([ED25519, Buffer.alloc(32, 3)]).toString('base64'),
  RATE_LIMIT_PER_SECOND: '0',
  LOGIN_RATE_LIMIT_PER_SECOND: '0',
  WEBHOOK_RATE_LIMIT_PER_SECOND: '0',
  ANONYMOUS_PACE_PER_SECOND: '0',
  LOG_LEVEL: 'warn',
  PORT: '0',
  // One address for all processes of a database, whichever port each has: a notification that is tried again is the
  // same.
  PUBLIC_URL: 'http://127.0.0.1:3000',
  // Whole suites may be run with several: `TEST_WORKERS=2`.
  WORKERS: process.env.TEST_WORKERS ?? '1',
  // Tests make partners of their own, and count what is written.
  DEMO_PARTNER: 'false',
};

/** Those settings, for an application in the test's own process. */
export function testSettings(): Record<string, string> {
  return { ...SETTINGS };
}

/** What a process of a test has of the test's own environment; Node keeps there what it has compiled for the run. */
export function inherited(): Record<string, string> {
  const { PATH, HOME = '/', NODE_COMPILE_CACHE } = process.env;
  return { PATH: PATH!, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
}

/** What the start script starts, flags of Node included. */
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<'start', string> };
export const START = /exec node (.*)$/.exec(scripts.start)![1]!.split(' ');
export const SOURCE_MAPS = '--enable-source-maps';

/**
 * That without source maps, which are a tenth of a start's processor time: hundreds of services are started. The heap
 * has room from the start on, which the script leaves to grow: there is hardly a collection until a service listens.
 */
const QUICK_START = [
  ...['--min-semi-space-size=32', '--initial-old-space-size=256'],
  // The program comes last: what stands behind it is not for Node.
  ...START.filter((flag) => flag !== SOURCE_MAPS),
];

export interface Service {
  readonly url: string;
  readonly process: ChildProcess;
  /** Everything it wrote so far. */
  output(): string;
  /** Ends it as the system would (SIGKILL) or as an operator would (SIGTERM), and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** SIGTERM, if it still runs. Its folder goes with it. */
  stop(): Promise<void>;
}

/** Starts the built service as a process of its own, on a free port, over the given database. */
export async function startService(databaseUrl: string, env: Record<string, string> = {}): Promise<Service> {
  // Workers whose primary was killed may still write: the run's folder goes when all have ended.
  const dataDir = await mkdtemp(join(process.env.TEST_RUN_FOLDER ?? tmpdir(), 'payments-service-'));
  const child = spawn(process.execPath, QUICK_START, {
    env: { ...inherited(), ...SETTINGS, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, TMPDIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit');
  const url = await eventually(
    () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new ServiceEnded(output);
      return /Listening on (\S+?)\. /.exec(output)?.[1];
    },
    { within: 30_000, unless: (error) => error instanceof ServiceEnded },
  ).catch(async (error: unknown) => {
    child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    url,
    process: child,
    output: () => output,
    kill,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) await kill('SIGTERM');
      else await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The service ended before it listened; the message is what it wrote. */
export class ServiceEnded extends Error {}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { listenOnLoopback } from '../support/loopback.js';
import { inherited, SETTINGS, START } from '../support/service.js';

/** The log is a file on a disk without room: a write to `/dev/full` fails as one there does. */

let child: ChildProcess;
let exited: Promise<unknown[]>;
let told = '';
afterEach(() => void child.kill('SIGKILL'));

function started(args: readonly string[], env: Record<string, string> = {}): void {
  const full = openSync('/dev/full', 'w');
  child = spawn(process.execPath, args, { env, stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  exited = once(child, 'exit');
  told = '';
  child.stderr!.on('data', (chunk: Buffer) => (told += chunk.toString()));
}

const program = (text: string) =>
  started([
    '--input-type=module',
    '-e',
    `import { standardOutput } from './dist/src/platform/observability/log-output.js';
     import { createLogger } from './dist/src/platform/observability/pino-logger.js';
     const logger = createLogger('info');
     logger.info('begun');
     ${text}`,
  ]);

const ended = (within: number) => Promise.race([exited, sleep(within, 'it runs on', { ref: false })]);

describe('a process whose log cannot be written', () => {
  it('goes on', async () => {
    program(`
      let n = 0;
      setInterval(() => { logger.info('more'); process.stderr.write(String((n += 1)) + ' '); }, 50)`);
    await eventually(() => told.includes('20 '));
    expect(child.exitCode).toBeNull();
  });

  it('ends with the error that it threw', async () => {
    program(`setTimeout(() => { logger.info('last'); throw new Error('it broke'); }, 300)`);
    await eventually(() => told.includes('it broke'));
    expect(await ended(2_000)).toEqual([1, null]);
  });

  it('ends when it is told to', async () => {
    program(`
      process.on('SIGTERM', async () => { logger.info('last'); await standardOutput.written(); process.exit(7); });
      setInterval(() => process.stderr.write('ready'), 50)`);
    await eventually(() => told.includes('ready'));
    child.kill('SIGTERM');
    expect(await ended(5_000)).toEqual([7, null]);
  });
});

it('a service serves and ends in order without a place for its log', async () => {
  const database = await createDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'payments-log-'));
  const { port, close } = await listenOnLoopback(createServer());
  await close();
  try {
    const settings = { ...SETTINGS, DATABASE_URL: database.url, DATA_DIR: folder, PORT: `${port}`, LOG_LEVEL: 'debug' };
    started(START, { ...inherited(), ...settings });
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    await eventually(async () => (await get('/health/ready')).status === 200, { within: 30_000 });
    for (let i = 0; i < 20; i++) expect((await get('/nowhere')).status).toBe(404);
    child.kill('SIGTERM');
    expect(await ended(15_000)).toEqual([0, null]);
    expect(told).toBe('');
  } finally {
    child.kill('SIGKILL');
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);

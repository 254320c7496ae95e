import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { call } from '../support/api.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startService } from '../support/service.js';

/** A process that logs what its end is about, as `main.ts` does. */
const PROGRAM = `
  import { standardOutput } from './dist/src/platform/observability/log-output.js';
  import { createLogger } from './dist/src/platform/observability/pino-logger.js';
  const logger = createLogger('info');
  setInterval(() => undefined, 1_000);
  process.on('SIGTERM', async () => {
    for (let i = 0; i < 100; i++) logger.info('x'.repeat(Number(process.env.LENGTH)));
    await standardOutput.written();
    process.exit(7);
  });
  logger.info('begun');
`;

async function started(length: number) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { LENGTH: String(length) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually(() => output.includes('begun'));
  const end = async () => {
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(5_000) });
    child.kill('SIGTERM');
    try {
      return ((await ended) as [number | null])[0];
    } finally {
      child.kill('SIGKILL');
    }
  };
  return { child, end, output: () => output };
}

describe('the end of a process', () => {
  it('waits until its log is written', async () => {
    const { end, output } = await started(50_000);
    expect(await end()).toBe(7);
    await eventually(() => output().length > 100 * 50_000);
  });

  it('waits longer than a second for a reader that is slow', async () => {
    const { child, end, output } = await started(12_000);
    child.stdout.pause();
    // All that the pipe holds at a time: a writer is woken when most of it is gone.
    let chunks = 0;
    const pausing = () => (chunks += 1) % 4 === 0 && child.stdout.pause();
    child.stdout.on('data', pausing);
    const slowly = setInterval(() => child.stdout.resume(), 300);
    const began = performance.now();
    expect(await end()).toBe(7);
    expect(performance.now() - began).toBeGreaterThan(1_000);
    clearInterval(slowly);
    child.stdout.off('data', pausing).resume();
    await eventually(() => output().length > 100 * 12_000);
  });

  it('does not wait for a reader of its log that is gone', async () => {
    const { child, end } = await started(1);
    child.stdout.destroy();
    expect(await end()).toBe(7);
  });

  it('does not wait longer than a second for one that does not read', async () => {
    const { child, end } = await started(50_000);
    child.stdout.pause();
    expect(await end()).toBe(7);
  });
});

/** A process that logs far more than its heap would hold. */
const RECORDS = 100_000;
const BUSY = `
  import { standardOutput } from './dist/src/platform/observability/log-output.js';
  import { createLogger } from './dist/src/platform/observability/pino-logger.js';
  const logger = createLogger('info');
  const filler = 'x'.repeat(1_000);
  logger.info('begun');
  process.once('SIGUSR2', async () => {
    for (let n = 0; n < ${RECORDS}; n += 1) {
      logger.info({ n, filler }, 'request');
      if (n % 1_000 === 0) await new Promise(setImmediate);
    }
    process.stderr.write(String(standardOutput.lost));
  });
  setInterval(() => undefined, 1_000);
`;

it('a log that nobody reads takes little memory; once it is read again, it says how many records it lacks', async () => {
  const child = spawn(process.execPath, ['--max-old-space-size=64', '--input-type=module', '-e', BUSY], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  try {
    await eventually(() => lines.length === 1);
    child.stdout.pause();
    let told = '';
    child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
    child.kill('SIGUSR2');
    await eventually(() => told !== '' || child.exitCode !== null || child.signalCode !== null);
    const lost = Number(told);
    expect(lost).toBeGreaterThan(RECORDS / 2);
    child.stdout.resume();
    await eventually(() => lines.length === RECORDS + 2 - lost);
    const [notice] = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('log records were lost'));
    expect(notice).toMatchObject({ level: 'warn', lost });
  } finally {
    reader.close();
    child.kill('SIGKILL');
  }
});

describe('a service whose log nobody reads any more', () => {
  it('ends at SIGTERM', async () => {
    const database = await createDatabase();
    const service = await startService(database.url, { LOG_LEVEL: 'debug' });
    try {
      service.process.stdout!.pause();
      // More lines than the pipe and its reader hold.
      const asked = () => call(service.url, 'GET', '/nowhere');
      for (let i = 0; i < 60; i++) await Promise.all(Array.from({ length: 50 }, asked));
      const ended = once(service.process, 'exit', { signal: AbortSignal.timeout(15_000) });
      service.process.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    } finally {
      service.process.kill('SIGKILL');
      await database.drop();
    }
  }, 60_000);
});

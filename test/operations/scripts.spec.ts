import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';

/** Scripts that start servers leave nothing where they are interrupted, or fail. */

const PG_BIN = process.env.PG_BIN ?? '/usr/lib/postgresql/15/bin';
const hasPostgres = existsSync(join(PG_BIN, 'pg_basebackup'));
if (!hasPostgres) process.stdout.write(`no PostgreSQL in ${PG_BIN}: the restore drill is not run\n`);

const WITHOUT_NEST = process.env
  .PATH!.split(delimiter)
  .filter((folder) => !existsSync(join(folder, 'nest')))
  .join(delimiter);

let folder: string;
let output: string;

beforeEach(async () => {
  // The drill's PostgreSQL is another user's, where this one is root: he may not enter the folder of the run.
  folder = await mkdtemp('/tmp/payments-scripts-');
  await chmod(folder, 0o755);
  output = '';
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function run(script: string, env: Record<string, string> = {}): { child: ChildProcess; ended: Promise<unknown[]> } {
  const { PATH = '', HOME = '/' } = process.env;
  const child = spawn(process.execPath, [script], {
    env: { PATH, HOME, TMPDIR: folder, PG_BIN, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // As of a terminal: its Ctrl-C reaches the whole group.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return { child, ended: once(child, 'close') };
}

describe('the smoke test', () => {
  it.each(['group', 'process'])(
    'leaves nothing after Ctrl-C to its %s',
    async (whom) => {
      const { child, ended } = run('scripts/smoke.mjs');
      await eventually(server, { within: 30_000 });
      process.kill(whom === 'group' ? -child.pid! : child.pid!, 'SIGINT');
      expect((await ended)[0]).toBe(1);
      expect(await readdir(folder)).toEqual([]);
    },
    60_000,
  );

  /** Whether its database is being made. */
  const server = async () => (await readdir(folder, { recursive: true })).some((name) => name.endsWith('postgres.log'));
});

describe('the restore drill', () => {
  (hasPostgres ? it : it.skip)(
    'leaves neither server nor folder after Ctrl-C',
    async () => {
      const { child, ended } = run('scripts/restore-drill.mjs');
      await eventually(() => output.includes('# Service, base backup, traffic'), { within: 30_000 });
      process.kill(-child.pid!, 'SIGINT');
      expect((await ended)[0]).toBe(1);
      expect(await readdir(folder)).toEqual([]);
      const servers = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout;
      expect(servers).not.toContain(folder);
    },
    60_000,
  );
});

describe('npm run dev', () => {
  it('names a wrong setting, before it makes a database', async () => {
    const { ended } = run('scripts/dev.mjs', { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'loud' });
    expect((await ended)[0]).toBe(1);
    expect(output).toMatch(/^LOG_LEVEL: must be one of .*\n$/);
    expect(await readdir(folder)).toEqual([]);
  }, 30_000);

  it('stops its database where there is no watcher', async () => {
    const dataDir = join(folder, 'data');
    const { ended } = run('scripts/dev.mjs', { DATA_DIR: dataDir, PATH: WITHOUT_NEST });
    expect((await ended)[0]).toBe(1);
    expect(output).toMatch(/spawn nest E(NOENT|ACCES)/);
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
  }, 60_000);
});

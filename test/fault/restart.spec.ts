import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Credentials, PartnerApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

interface Npm {
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly url: string;
  output(): string;
}

const started: ChildProcess[] = [];
let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payments-restart-'));
  await chmod(folder, 0o755); // so that, as root, the cluster stays inside it
  database = await createDatabase();
});

afterAll(async () => {
  started.forEach((child) => child.kill('SIGTERM'));
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

/** `npm start`, as a user types it, on a free port. */
async function npmStart(env: Record<string, string>): Promise<Npm> {
  const child = spawn('npm', ['start'], {
    env: { PATH: process.env.PATH!, HOME: process.env.HOME ?? '/', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit');
  const url = await eventually(
    () => {
      if (child.exitCode !== null) throw new Error(output);
      return /Listening on (\S+?)\. /.exec(output)?.[1];
    },
    { within: 60_000, unless: () => child.exitCode !== null },
  );
  return { process: child, ended, url, output: () => output };
}

async function demoCredentials(npm: Npm): Promise<Credentials> {
  return eventually(() => {
    const [, accessKey, secret] = /access key +(\S+)\n +secret +(\S+)/.exec(npm.output()) ?? [];
    return accessKey && secret ? { accessKey, secret } : undefined;
  });
}

const balances = async (url: string, credentials: Credentials): Promise<string[]> => {
  const api = await PartnerApi.login(url, credentials);
  const { body } = await api.get('/accounts');
  return body.data.items.map(({ balance }: { balance: { available: string } }) => balance.available);
};

/** The service's own process, below npm and its shell. */
function servicePid(npm: Npm): number {
  const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!)
    .map(([, pid, parent, args]) => ({ pid: Number(pid), parent: Number(parent), args: args! }));
  const below = (pid: number): typeof children => {
    const direct = children.filter(({ parent }) => parent === pid);
    return [...direct, ...direct.flatMap((child) => below(child.pid))];
  };
  return below(npm.process.pid!).find(({ args }) => args.includes('dist/main.js'))!.pid;
}

async function postmasterOf(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe('npm start', () => {
  it('on an empty folder prints lines that work, and what they did survives SIGTERM and SIGKILL', async () => {
    const env = { DATA_DIR: join(folder, 'data') };
    const first = await npmStart(env);
    const credentials = await demoCredentials(first);
    expect(await balances(first.url, credentials)).toEqual(['1000.00', '500.00']);
    if (hasCurl) {
      const script = await eventually(() => /Try it:\n([\s\S]*?)\n\n/.exec(first.output())?.[1]);
      const answer = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
      expect(answer).toContain('"settlementDate"');
    } else {
      const api = await PartnerApi.login(first.url, credentials);
      const { body } = await api.get('/accounts');
      expect((await api.transfer(body.data.items[1].uid, '10.50')).status).toBe(201);
    }
    expect(await balances(first.url, credentials)).toEqual(['989.50', '510.50']);

    const second = spawnSync('node', ['dist/main.js'], {
      env: { PATH: process.env.PATH!, ...env },
      encoding: 'utf8',
    });
    expect(second.status).toBe(1);
    expect(second.stderr).toMatch(/already runs on/);

    first.process.kill('SIGTERM');
    await first.ended;
    const again = await npmStart(env);
    expect(await balances(again.url, credentials)).toEqual(['989.50', '510.50']);
    expect(again.output()).not.toContain('Demo partner');

    process.kill(servicePid(again), 'SIGKILL');
    await again.ended;
    const postmaster = await postmasterOf(env.DATA_DIR);
    expect(exists(postmaster)).toBe(true);
    const third = await npmStart(env);
    expect(await balances(third.url, credentials)).toEqual(['989.50', '510.50']);

    third.process.kill('SIGTERM');
    await third.ended;
    await eventually(() => !exists(postmaster));
  }, 120_000);

  it('ends in order, PostgreSQL too, when it is told so as soon as it listens, while the demo is being made', async () => {
    const env = { DATA_DIR: join(folder, 'told-early') };
    const early = await npmStart(env);
    const postmaster = await postmasterOf(env.DATA_DIR);
    early.process.kill('SIGTERM');
    await early.ended;
    await eventually(() => !exists(postmaster));
  }, 60_000);

  it('does the same against an external PostgreSQL, by DATABASE_URL alone', async () => {
    const env = { DATA_DIR: join(folder, 'external'), DATABASE_URL: database.url };
    const first = await npmStart(env);
    const credentials = await demoCredentials(first);
    const api = await PartnerApi.login(first.url, credentials);
    const { body } = await api.get('/accounts');
    expect((await api.transfer(body.data.items[1].uid, '10.50')).status).toBe(201);
    first.process.kill('SIGTERM');
    await first.ended;
    const second = await npmStart(env);
    expect(await balances(second.url, credentials)).toEqual(['989.50', '510.50']);
    expect(second.output()).not.toContain('Demo partner');
    second.process.kill('SIGTERM');
    await second.ended;
  }, 120_000);
});

describe('the start', () => {
  const start = (env: Record<string, string>) =>
    spawnSync('node', ['dist/main.js'], { env: { PATH: process.env.PATH!, ...env }, encoding: 'utf8' });

  it('ends with a message that names each wrong setting', () => {
    const { status, stderr } = start({ PORT: 'eighty', KEY_PEPPER: 'short', LEDGER_PARTITIONS: '0', ROLE: 'boss' });
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      'PORT: must be a whole number from 0 to 65535',
      'ROLE: must be one of all, api, worker',
      'LEDGER_PARTITIONS: must be a whole number from 1 to 4095',
      'KEY_PEPPER: must be base64 of 32 bytes',
    ]);
  });

  it.each([
    ['0', 'nobody.invalid', /^HOST: getaddrinfo \S+ nobody\.invalid\n$/],
    ['3999', '203.0.113.7', /^HOST: listen EADDRNOTAVAIL: .*203\.0\.113\.7:3999\n$/],
  ])('with the port %s ends with a message that names a host of no machine, or of another', (PORT, HOST, said) => {
    const { status, stderr } = start({ DATABASE_URL: database.url, DATA_DIR: join(folder, 'host'), PORT, HOST });
    expect([status, stderr]).toEqual([1, expect.stringMatching(said)]);
  });

  it.each(['a-file', 'a-file/below'])(
    'in the folder %s, where a file is, ends with a message that says so',
    async (name) => {
      await writeFile(join(folder, 'a-file'), '');
      const { status, stderr } = start({ DATA_DIR: join(folder, name), PORT: '0' });
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(/a-file\S* cannot hold .* is no folder; choose another DATA_DIR\n$/),
      ]);
    },
  );

  it('in production needs explicit secrets, database, rail and an https address', () => {
    const { status, stderr } = start({ NODE_ENV: 'production', PUBLIC_URL: 'http://pay.example.com' });
    expect(status).toBe(1);
    const names = stderr
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0]);
    expect(names).toEqual([
      'ADMIN_TOKEN',
      'JWT_SECRET',
      'KEY_PEPPER',
      'MASTER_KEY',
      'CHECKPOINT_SIGNING_KEY',
      'PAYLOAD_SIGNING_KEY',
      'DATABASE_URL',
      'PIX_RAIL',
      'PUBLIC_URL',
    ]);
  });

  it('refuses a database that was filled under another pepper', async () => {
    const other = await createDatabase();
    try {
      const env = (byte: number) => ({
        DATABASE_URL: other.url,
        DATA_DIR: join(folder, 'pepper'),
        PORT: '0',
        KEY_PEPPER: Buffer.alloc(32, byte).toString('base64'),
      });
      const first = await npmStart(env(1));
      first.process.kill('SIGTERM');
      await first.ended;
      const { status, stderr } = start(env(2));
      expect(status).toBe(1);
      expect(stderr).toMatch(/^KEY_PEPPER: this database was used with another key/);
    } finally {
      await other.drop();
    }
  }, 60_000);
});

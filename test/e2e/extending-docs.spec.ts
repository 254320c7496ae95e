import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Block, blocksOf } from '../support/document.js';
import { eventually } from '../support/eventually.js';
import { linkModules } from '../support/link-modules.js';
import { SETTINGS } from '../support/service.js';

/** docs/extending.md, followed word for word on a copy of the sources: its files are made, its commands run. */

const PAGE = 'docs/extending.md';
const COPIED = [
  ...[
    'src',
    'packages',
    'migrations',
    'scripts',
    'test/support',
    'test/architecture/commands.spec.ts',
    'test/architecture/openapi.spec.ts',
    'docs/events.md',
    'docs/errors.md',
    'README.md',
    'openapi.json',
    'package.json',
  ],
  ...['clients/postman', 'clients/typescript/src', 'clients/typescript/package.json', 'tsconfig.json'],
  ...[
    'tsconfig.build.json',
    'tsconfig.watch.json',
    'nest-cli.json',
    'jest.config.js',
    '.swcrc',
    '.oxfmtrc.json',
    '.dependency-cruiser.mjs',
  ],
  // The console as it is built: a build of the service makes it again only where its sources or packages have changed.
  ...['index.html', 'package.json', 'tsconfig.json', 'vite.config.ts', 'src', 'public', 'dist'].map((item) =>
    join('console', item),
  ),
  'package-lock.json',
];

let copy: string;
let blocks: Block[];

beforeAll(async () => {
  // A name as folders of people have.
  copy = await mkdtemp(join(tmpdir(), "payments-extending José d'Ávila (2) "));
  for (const item of COPIED) await cp(item, join(copy, item), { recursive: true });
  await linkModules(copy);
  blocks = await blocksOf(PAGE);
  for (const block of blocks.filter(({ info }) => info)) await apply(block);
}, 60_000);

afterAll(() => rm(copy, { recursive: true, force: true }));

/** A block with a file's name is the file, or a change of it. */
async function apply({ language, info, text }: Block): Promise<void> {
  const file = join(copy, info);
  if (language !== 'diff') {
    await mkdir(dirname(file), { recursive: true });
    return writeFile(file, text);
  }
  const side = (other: string) =>
    text
      .split('\n')
      .filter((line) => line && !line.startsWith(other))
      .map((line) => line.slice(1))
      .join('\n');
  const [before, after] = [side('+'), side('-')];
  const parts = (await readFile(file, 'utf8')).split(`${before}\n`);
  if (parts.length !== 2) throw new Error(`${info} has not exactly one place of:\n${before}`);
  await writeFile(file, parts.join(`${after}\n`));
}

/** A command of the page. @param containing picks it among the page's lines */
function run(containing: string) {
  const line = blocks
    .filter(({ language }) => language === 'bash')
    .flatMap(({ text }) => text.split('\n'))
    .find((one) => one.includes(containing));
  return inCopy(line!);
}

function inCopy(command: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: copy,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}`,
      NODE_OPTIONS: '',
      // The run of tests inside has no server of its own.
      DATABASE_URL: process.env.TEST_POSTGRES_URL,
    },
  });
  return { status, output: stdout + stderr };
}

const passes = (output: unknown = expect.anything()) => ({ status: 0, output });

describe('the walk', () => {
  // The first half of `npm run documents`, which then finds it done.
  it('builds', () => {
    expect(inCopy('npm run build')).toEqual(passes());
  }, 90_000);

  it('brings its event, routes and arrows into the documents', async () => {
    expect(run('npm run documents')).toEqual(passes());
    const read = (file: string) => readFile(join(copy, file), 'utf8');
    expect(await read('docs/events.md')).toContain('## PledgeMade');
    expect(Object.keys(JSON.parse(await read('openapi.json')).paths)).toContain('/partners-int/accounts/pledges/{id}');
    expect(await read('clients/typescript/src/schema.ts')).toContain('MakePledgeDto');
    expect(await read('README.md')).toMatch(/\| `pledges` +\| `accounts`, `auth`, `event-store`,/);
  }, 90_000);

  it('keeps the boundaries', () => {
    expect(run('npm run boundaries')).toEqual(passes(expect.stringContaining('no dependency violations found')));
  }, 60_000);

  it('passes its own tests, that of who may append and read, and that of the document', () => {
    expect(run('npx jest src/pledges')).toEqual(passes(expect.stringContaining('Test Suites: 4 passed')));
  }, 90_000);
});

describe('npm run dev', () => {
  let database: TestDatabase;
  let dev: ChildProcess;
  let output = '';

  beforeAll(async () => {
    database = await createDatabase();
    dev = spawn(process.execPath, ['scripts/dev.mjs'], {
      cwd: copy,
      env: { ...process.env, ...SETTINGS, DATABASE_URL: database.url, DATA_DIR: join(copy, 'data'), NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    dev.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    dev.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  });

  afterAll(async () => {
    const ended = once(dev, 'exit');
    dev.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await database?.drop();
  });

  const listening = (times: number) =>
    eventually(() => [...output.matchAll(/Listening on (\S+?)\. /g)][times - 1]?.[1], { within: 60_000 });
  const refusal = async (base: string) =>
    (await call(base, 'GET', '/partners-int/accounts/pledges/x')).body.error?.message;

  it('shows a change when it is saved, and goes on through one that does not compile', async () => {
    const file = join(copy, 'src/auth/partner.guard.ts');
    const source = await readFile(file, 'utf8');
    const first = await listening(1);
    expect(output).toContain('Found 0 errors. Watching');
    expect(await refusal(first)).toContain('Send the token of the login');

    await writeFile(file, `${source}\nexport const wrong: number = 'text';\n`);
    await eventually(() => /Found 1 error\. Watching/.test(output), { within: 60_000 });
    expect(await refusal(first)).toContain('Send the token of the login');

    await writeFile(file, source.replace('Send the token', 'Please send the token'));
    expect(await refusal(await listening(2))).toContain('Please send the token');
  }, 150_000);
});

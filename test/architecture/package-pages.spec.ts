import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { blocksOf } from '../support/document.js';

const PACKAGES = readdirSync('packages', { withFileTypes: true }).filter((entry) => entry.isDirectory());
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payments-examples-'));
  await chmod(folder, 0o755); // so that, as root, an embedded cluster stays inside it
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(PACKAGES)('the README of packages/$name', ({ name }) => {
  it('has an example that runs, and says what its comments say', async () => {
    const [example] = (await blocksOf(join('packages', name, 'README.md'))).filter(({ language }) => language === 'ts');
    const file = join(folder, `${name}.mts`);
    await writeFile(file, example!.text);
    const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: process.env.TEST_POSTGRES_URL };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env });
    const said = [...example!.text.matchAll(/console\.log\(.*; \/\/ (.*)$/gm)].map(([, text]) => text);
    expect(stdout.trim().split('\n')).toEqual(said);
  }, 60_000);
});

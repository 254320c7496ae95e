import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkModules } from '../support/link-modules.js';

/** What is generated from openapi.json is that of today's document, and one that is stale is noticed. */

const GENERATED = [
  ['scripts/client-types.mjs', 'clients/typescript/src/schema.ts'],
  ['scripts/postman.mjs', 'clients/postman/partner-payments.postman_collection.json'],
] as const;

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'payments-documents-'));
  const sources = ['src', 'packages', 'migrations', 'tsconfig.json', 'package.json', 'README.md'];
  for (const item of ['openapi.json', ...sources, ...GENERATED.map(([, file]) => file)]) {
    await cp(item, join(copy, item), { recursive: true });
  }
  await linkModules(copy);
});

afterAll(() => rm(copy, { recursive: true, force: true }));

function check(script: string) {
  const { status, stderr } = spawnSync(process.execPath, [resolve(script), '--check'], { cwd: copy, encoding: 'utf8' });
  return { status, stderr };
}

describe.each(GENERATED)('%s', (script, file) => {
  it('finds its file current', () => {
    expect(check(script)).toEqual({ status: 0, stderr: '' });
  });

  it('fails when a route has changed since', async () => {
    const document = await readFile('openapi.json', 'utf8');
    const changed = JSON.parse(document);
    const { schemas } = changed.components;
    schemas.RequestTransferDto.required.push('purpose');
    schemas.RequestTransferDto.properties.purpose = { type: 'string', example: 'Rent' };
    await writeFile(join(copy, 'openapi.json'), JSON.stringify(changed));
    expect(check(script)).toEqual({ status: 1, stderr: `${file} is not current: npm run documents\n` });
    await writeFile(join(copy, 'openapi.json'), document);
  });
});

describe('the map of the modules in the README', () => {
  const map = 'scripts/module-map.mjs';
  const stale = { status: 1, stderr: 'README.md is not current: npm run documents\n' };

  it('is that of the code', () => {
    expect(check(map)).toEqual({ status: 0, stderr: '' });
  });

  it('is stale when there is a new arrow', async () => {
    const file = join(copy, 'src/transfers/arrow.ts');
    await writeFile(file, `export { PixModule } from '../pix/index.js';\n`);
    expect(check(map)).toEqual(stale);
    await rm(file);
  });

  it('lacks a module that it does not name', async () => {
    await mkdir(join(copy, 'src/loans'));
    const stderr = 'README.md does not say what src/loans/ holds\n';
    expect(check(map)).toEqual({ status: 1, stderr });
    await rm(join(copy, 'src/loans'), { recursive: true });
  });
});

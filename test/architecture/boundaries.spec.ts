import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'payments-boundaries-'));
  for (const item of ['src', 'migrations', 'tsconfig.json', 'package.json', '.dependency-cruiser.mjs']) {
    await cp(item, join(copy, item), { recursive: true });
  }
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
});

afterAll(() => rm(copy, { recursive: true, force: true }));

/** What the rules say of the copied sources, with one more file in them. */
async function cruise(breach?: { file: string; imports: string }): Promise<string> {
  const file = breach && join(copy, 'src', breach.file);
  if (file) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `import * as other from '${breach.imports}';\nexport const used = other;\n`);
  }
  try {
    return await new Promise((done) =>
      execFile(
        process.execPath,
        [
          resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
          'src',
          '--config',
          '.dependency-cruiser.mjs',
        ],
        { cwd: copy },
        (_error, output, problems) => done(output + problems),
      ),
    );
  } finally {
    if (file) await rm(file);
  }
}

describe('module boundaries', () => {
  it('hold in the sources as they are', async () => {
    expect(await cruise()).toContain('no dependency violations found');
  }, 60_000);

  it.each([
    ['only-the-door', { file: 'transfers/breach.ts', imports: '../accounts/registry.js' }],
    ['event-store-only-by-its-door', { file: 'accounts/breach.ts', imports: '../event-store/lane.js' }],
    ['event-store-knows-no-business', { file: 'event-store/breach.ts', imports: '../accounts/index.js' }],
    ['platform-knows-nobody', { file: 'platform/breach.ts', imports: '../event-store/index.js' }],
    ['auth-knows-no-other-module', { file: 'auth/breach.ts', imports: '../transfers/index.js' }],
    ['accounts-stand-below', { file: 'accounts/breach.ts', imports: '../transfers/index.js' }],
    ['nobody-needs-who-looks-on', { file: 'webhooks/breach.ts', imports: '../inspection/index.js' }],
    ['domain-is-pure', { file: 'transfers/domain/breach.ts', imports: '../../platform/database/index.js' }],
    ['domain-is-pure', { file: 'accounts/domain/breach.ts', imports: '@nestjs/common' }],
  ])(
    'a breach of %s is caught',
    async (rule, breach) => {
      expect(await cruise(breach)).toMatch(new RegExp(`error ${rule}: src/${breach.file}`));
    },
    60_000,
  );
});

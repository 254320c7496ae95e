import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BREACHES: readonly (readonly [rule: string, module: string, imports: string])[] = [
  ['no-circles', 'accounts', './breach-0.js'],
  ['only-the-door', 'transfers', '../accounts/registry.js'],
  ['event-store-only-by-its-door', 'accounts', '../event-store/lane.js'],
  ['event-store-knows-no-business', 'event-store', '../accounts/index.js'],
  ['platform-knows-nobody', 'platform', '../event-store/index.js'],
  ['auth-knows-no-other-module', 'auth', '../transfers/index.js'],
  ['accounts-stand-below', 'accounts', '../transfers/index.js'],
  ['nobody-needs-webhooks', 'pix', '../webhooks/index.js'],
  ['nobody-needs-back-office-reads', 'webhooks', '../inspection/index.js'],
  ['domain-is-pure', 'transfers/domain', '../../platform/database/index.js'],
  ['domain-is-pure', 'accounts/domain', '@nestjs/common'],
  ['domain-is-pure', 'accounts/domain', '../queries/statement/entry.projection.js'],
];
/** What nobody imports and what imports nobody: a file of its own. */
const ORPHAN = 'src/transfers/orphan.ts';

let copy: string;
let sound: string;
let breached: string;

/** The sources as they are; then with a file more for each breach. */
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'payments-boundaries-'));
  for (const item of ['src', 'migrations', 'tsconfig.json', 'package.json', '.dependency-cruiser.mjs']) {
    await cp(item, join(copy, item), { recursive: true });
  }
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
  sound = await cruise();
  for (const [i, [, module, imports]] of BREACHES.entries()) {
    const text = `import * as other from '${imports}';\nexport const used = other;\n`;
    await writeFile(join(copy, 'src', module, `breach-${i}.ts`), text);
  }
  await writeFile(join(copy, ORPHAN), 'export const alone = true;\n');
  breached = await cruise();
}, 60_000);

afterAll(() => rm(copy, { recursive: true, force: true }));

/** What the rules say of the copied sources. */
function cruise(): Promise<string> {
  const program = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  return new Promise((done) =>
    execFile(
      process.execPath,
      [program, 'src', '--config', '.dependency-cruiser.mjs', '--output-type', 'err-long'],
      { cwd: copy },
      (_error, output, problems) => done(output + problems),
    ),
  );
}

describe('module boundaries', () => {
  it('hold in the sources as they are', () => {
    expect(sound).toContain('no dependency violations found');
  });

  it.each(BREACHES.map(([rule, module, imports], i) => ({ rule, module, imports, i })))(
    'a breach of $rule is caught: $module imports $imports',
    ({ rule, module, i }) => {
      expect(breached).toContain(`error ${rule}: src/${module}/breach-${i}.ts`);
    },
  );

  it('each say why they are there', async () => {
    const config = (await import(resolve('.dependency-cruiser.mjs'))) as {
      default: { forbidden: readonly { name: string; comment?: string }[] };
    };
    for (const { name, comment } of config.default.forbidden) {
      expect(comment).toMatch(/^[A-Z].*\.$/);
      expect([name, breached.replaceAll(/\s+/g, ' ')]).toEqual([name, expect.stringContaining(comment!)]);
    }
  });

  it('a file that nobody needs is caught', () => {
    expect(breached).toContain(`error no-orphans: ${ORPHAN}`);
  });

  it('each have a breach here', async () => {
    const rules = [...(await readFile('.dependency-cruiser.mjs', 'utf8')).matchAll(/ name: '([\w-]+)'/g)];
    expect([...new Set([...BREACHES.map(([rule]) => rule), 'no-orphans'])].sort()).toEqual(
      rules.map(([, name]) => name).sort(),
    );
  });
});

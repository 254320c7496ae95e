import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { linkModules } from '../support/link-modules.js';

const ARROWS = 'modules-use-those-of-the-table';
/** A module that the table does not name: it may use none. */
const UNKNOWN = 'src/unnamed';
/** Which modules each module uses, from the README, where they are written as the sources have them. */
const USED = usedModules();

const BREACHES: readonly (readonly [rule: string, folder: string, imports: string])[] = [
  ['no-circles', 'src/accounts', './breach-0.js'],
  ['no-circles', 'console/src/ui', './breach-1.js'],
  ['modules-only-by-their-index', 'src/transfers', '../accounts/registry.js'],
  ['event-store-only-by-its-index', 'src/accounts', '../event-store/group-commit/lane.js'],
  ['event-store-knows-no-business', 'src/event-store', '../accounts/index.js'],
  ['event-store-rooms', 'src/event-store/subjects', '../group-commit/lane.js'],
  ['event-store-log-is-the-ground', 'src/event-store/log', '../projections/table.js'],
  ['platform-knows-nobody', 'src/platform', '../event-store/index.js'],
  ...wrongArrows().map(([from, to]) => [ARROWS, `src/${from}`, `../${to}/index.js`] as const),
  [ARROWS, UNKNOWN, '../auth/index.js'],
  ['nobody-needs-workers', 'src/pix/rails', '../workers/pix-work.js'],
  ['nobody-needs-the-cli', 'src/audit/erasure', '../cli/context.js'],
  ['domain-is-pure', 'src/transfers/domain', '../../platform/database/index.js'],
  ['domain-is-pure', 'src/accounts/domain', '@nestjs/common'],
  ['domain-is-pure', 'src/accounts/domain', '../queries/statement/entry.projection.js'],
  ['console-stands-alone', 'console/src/api', '../../../src/accounts/index.js'],
  ['console-parts-know-no-page', 'console/src/ui', '../pages/transactions/filters.js'],
  ['packages-know-no-service', 'packages/pg-pipeline/src', '../../../src/platform/money.js'],
  ['packages-only-by-their-entry', 'src/platform/database', '../../../packages/pg-pipeline/src/statement-group.js'],
  ['packages-only-by-their-entry', 'packages/pg-pipeline/src', '../../embedded-postgres/src/port.js'],
  ['packages-behind-platform', 'src/event-store', '@partner-payments/pg-pipeline'],
];
/** What nobody imports and what imports nobody: a file of its own. */
const ORPHAN = 'src/transfers/orphan.ts';

let copy: string;
let breached: string;

/** The sources with a file more for each breach. */
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'payments-boundaries-'));
  for (const item of [
    'src',
    'console/src',
    'packages',
    'migrations',
    'tsconfig.json',
    'package.json',
    '.dependency-cruiser.mjs',
  ]) {
    await cp(item, join(copy, item), { recursive: true });
  }
  await linkModules(copy);
  await mkdir(join(copy, UNKNOWN));
  for (const [i, [, folder, imports]] of BREACHES.entries()) {
    const text = `import type * as other from '${imports}';\nexport type Used = typeof other;\n`;
    await writeFile(join(copy, folder, `breach-${i}.ts`), text);
  }
  await writeFile(join(copy, ORPHAN), 'export const alone = true;\n');
  breached = await cruise();
}, 60_000);

afterAll(() => rm(copy, { recursive: true, force: true }));

function usedModules(): Readonly<Record<string, readonly string[]>> {
  const map = readFileSync('README.md', 'utf8').split('<!-- modules -->')[1]!.split('<!-- /modules -->')[0]!;
  const rows = [...map.matchAll(/^\| `([\w-]+)` +\| (`.*`) +\|$/gm)];
  const named = (cell: string) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!);
  const isGround = (name: string) => name === 'event-store' || name === 'platform';
  return Object.fromEntries(
    rows
      .filter(([, name]) => !isGround(name!))
      .map(([, name, uses]) => [name!, named(uses!).filter((one) => !isGround(one))]),
  );
}

/** Every pair of modules of which the first one does not use the second. */
function wrongArrows(): readonly (readonly [from: string, to: string])[] {
  const names = Object.keys(USED);
  return names.flatMap((from) =>
    names.filter((to) => to !== from && !USED[from]!.includes(to)).map((to) => [from, to] as const),
  );
}

/** What the rules say of the copied sources. */
function cruise(): Promise<string> {
  const program = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  return new Promise((done) =>
    execFile(
      process.execPath,
      [program, 'src', 'console/src', 'packages', '--config', '.dependency-cruiser.mjs', '--output-type', 'err-long'],
      { cwd: copy },
      (_error, output, problems) => done(output + problems),
    ),
  );
}

describe('module boundaries', () => {
  it('hold in the sources as they are: nothing else is a breach', () => {
    const reported = breached.match(/(?<=^\s*(error|warn|info) )\S+: \S+/gm)!;
    expect(reported.filter((one) => !/\/breach-\d+\.ts$/.test(one))).toEqual([`no-orphans: ${ORPHAN}`]);
  });

  it.each(BREACHES.map(([rule, folder, imports], i) => ({ rule, folder, imports, i })))(
    'a breach of $rule is caught: $folder imports $imports',
    ({ rule, folder, i }) => {
      expect(breached).toContain(`error ${rule}: ${folder}/breach-${i}.ts`);
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

  it('allow the arrows that there are and no other, and each module only those above it', async () => {
    const { USES } = (await import(resolve('.dependency-cruiser.mjs'))) as { USES: typeof USED };
    expect(USES).toEqual(USED);
    const names = Object.keys(USES);
    for (const [i, name] of names.entries()) {
      expect([name, USES[name]!.filter((one) => names.indexOf(one) >= i)]).toEqual([name, []]);
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

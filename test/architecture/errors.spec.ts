import { spawnSync } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ERROR_NAMES, ERROR_REASONS } from '../../src/platform/errors/index.js';

/**
 * Where a reason is given: to an error of rules, to its base, as a member of its details, to a check of an amount, as a
 * value's fault that is one of rules, or in a table of refusals.
 */
const REASONS = [
  /\b(?:InvalidInputError|OperationError|ConflictError)\(\s*'(\w+)'/g,
  /extends (?:InvalidInputError|OperationError|ConflictError) \{.*?super\(\s*'(\w+)'/gs,
  /details = \{ reason: '(\w+)'/g,
  /IsAmountAboveZero\('(\w+)'/g,
  /=> code === '(\w+)'/g,
  /^ {2}(QrCode\w+):/gm,
];
const NAMES = /override readonly name = '(\w+)';\s+readonly status = (\d+)/g;

/**
 * Where the code says why a transaction ended: why a payment or a key does not fit, and why a deposit was cancelled.
 */
const ENDS = [/type \w*Misfit = ([^;]+);/g, /CashInCancelled = defineEvent<\{ id: string; cause: ([^}]+) \}>/g];

let source = '';

beforeAll(async () => {
  for await (const file of glob('src/**/*.ts')) {
    if (!file.endsWith('.spec.ts')) source += await readFile(file, 'utf8');
  }
});

describe('the table of errors', () => {
  it('has every reason that the code gives, and no other', () => {
    const given = REASONS.flatMap((pattern) => [...source.matchAll(pattern)].map(([, reason]) => reason));
    expect(ERROR_REASONS.map(([reason]) => reason).sort()).toEqual([...new Set(given)].sort());
  });

  it('has every name with its status, and no other', () => {
    const given = [...source.matchAll(NAMES)].map(([, name, status]) => `${name} ${status}`);
    const bare = (name: string) => name || 'Forbidden';
    const told = ERROR_NAMES.map(([name, status]) => `${bare(name)} ${status}`);
    expect([...new Set(told)].sort()).toEqual([...new Set(given)].sort());
  });

  it('stands in the OpenAPI document and in docs/errors.md', async () => {
    const { info } = JSON.parse(await readFile('openapi.json', 'utf8')) as { info: { description: string } };
    for (const [name] of [...ERROR_REASONS, ...ERROR_NAMES]) expect(info.description).toContain(name);
    const check = spawnSync(process.execPath, ['scripts/errors-page.mjs', '--check'], { encoding: 'utf8' });
    expect(check).toMatchObject({ status: 0, stderr: '' });
  });

  it('has, on its page, every reason of ours for which a transaction ends', async () => {
    const unions = ENDS.flatMap((pattern) => [...source.matchAll(pattern)].map(([, union]) => union!));
    const ends = unions.flatMap((union) => [...union.matchAll(/'(\w+)'/g)].map(([, reason]) => `\`${reason}\``));
    expect(ends.length).toBeGreaterThan(8);
    const [, told = ''] = (await readFile('docs/errors.md', 'utf8')).split('## Why a transaction ended');
    expect(ends.filter((reason) => !told.includes(reason))).toEqual([]);
  });
});

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';

/** test/support/suites.json, by which Jest's suites are put in their order. */

it('suites that are measured are there', async () => {
  const { measured, claimed } = JSON.parse(await readFile('test/support/suites.json', 'utf8'));
  const gone = Object.keys({ ...measured, ...claimed }).filter((name) => !existsSync(`${name}.spec.ts`));
  expect(gone).toEqual([]);
});

it('what waits for a minute begins beside what computes', async () => {
  const { default: LongestFirst } = await import(resolve('test/support/longest-first.mjs'));
  const context = { config: { rootDir: process.cwd() }, hasteFS: { getSize: () => 1 } };
  const names = ['fault/driver', 'e2e/webhooks-delivery', 'e2e/slow-readers', 'audit/checkpoints'];
  const sorted = new LongestFirst({}).sort(
    names.map((name) => ({ path: resolve(`test/${name}.spec.ts`), context })),
  ) as { path: string }[];
  expect(sorted.map(({ path }) => /test\/(.*)\.spec/.exec(path)![1])).toEqual([
    'e2e/slow-readers',
    'fault/driver',
    'audit/checkpoints',
    'e2e/webhooks-delivery',
  ]);
});

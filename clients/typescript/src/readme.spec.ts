import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

it('is packed with a README whose links lead to nothing that is not packed', () => {
  const readme = readFileSync('clients/typescript/README.md', 'utf8');
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to!);
  expect(links.filter((to) => !to.startsWith('#') && !to.startsWith('https://'))).toEqual([]);
});

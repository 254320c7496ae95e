import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { portuguese } from './portuguese.js';

const phrases = Object.keys(portuguese);

it('has no phrase that neither a page nor the service uses', () => {
  const files = globSync('{console/src,src}/**/*.{ts,tsx}', { exclude: ['**/portuguese.ts', '**/*.{spec,d}.ts'] });
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const unused = phrases.filter((phrase) => !code.includes(`'${phrase}'`) && !code.includes(`"${phrase}"`));
  expect(unused).toEqual([]);
});

it('is in alphabetical order', () => {
  const inOrder = phrases.map((phrase) => phrase.toLowerCase()).sort();
  expect(phrases.map((phrase) => phrase.toLowerCase())).toEqual(inOrder);
});

it('has words of their own for money held for payments under way, and for money blocked by an order', () => {
  expect(portuguese['Blocked by holds']).not.toContain(portuguese.Held);
});

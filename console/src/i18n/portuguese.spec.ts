import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { portuguese } from './portuguese.js';

it('has no phrase that neither a page says nor the service has as a word', () => {
  const files = globSync('{console/src,src}/**/*.{ts,tsx}', { exclude: ['**/portuguese.ts', '**/*.{spec,d}.ts'] });
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const unused = Object.keys(portuguese).filter(
    (phrase) => !code.includes(`'${phrase}'`) && !code.includes(`"${phrase}"`),
  );
  expect(unused).toEqual([]);
});

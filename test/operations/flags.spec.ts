import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { START } from '../support/service.js';

/** In production the heap follows the memory of the machine or container; `npm start` bounds it for a small one. */
const PRODUCTION = START.map((word) =>
  word.startsWith('--max-old-space-size=') ? '--max-old-space-size-percentage=50' : word,
);

it('gives the process the same flags of Node by npm start, in Docker and in the operators’ guide', async () => {
  expect(PRODUCTION).not.toEqual(START);
  const command = PRODUCTION.map((word) => `"${word}"`).join(', ');
  expect(await readFile('Dockerfile', 'utf8')).toContain(`CMD ["node", ${command}]`);
  expect(await readFile('docs/operations.md', 'utf8')).toContain(`flags="${PRODUCTION.slice(0, -1).join(' ')}"`);
});

import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { START } from '../support/service.js';

it('gives the process the same flags of Node by npm start, in Docker and in the operators’ guide', async () => {
  const command = START.map((word) => `"${word}"`).join(', ');
  expect(await readFile('Dockerfile', 'utf8')).toContain(`CMD ["node", ${command}]`);
  expect(await readFile('docs/operations.md', 'utf8')).toContain(`flags="${START.slice(0, -1).join(' ')}"`);
});

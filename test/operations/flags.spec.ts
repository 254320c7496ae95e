import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';

it('gives the process the same flags of Node by npm start, in Docker and in the operators’ guide', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: { start: string } };
  const flags = /exec node (.*) dist\/main\.js$/.exec(scripts.start)![1]!;
  const command = [...flags.split(' '), 'dist/main.js'].map((word) => `"${word}"`).join(', ');
  expect(await readFile('Dockerfile', 'utf8')).toContain(`CMD ["node", ${command}]`);
  expect(await readFile('docs/operations.md', 'utf8')).toContain(`flags="${flags}"`);
});

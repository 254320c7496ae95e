import { glob, readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';

/** A connection knows a prepared statement by its name: a second text under it is refused where both meet. */
it('a name of a prepared statement stands for one text', async () => {
  const textsByName = new Map<string, Set<string>>();
  for await (const file of glob('src/**/*.ts')) {
    const source = await readFile(file, 'utf8');
    for (const [, name, text] of source.matchAll(/\bname: '([^']+)',\s*text:\s*(`[^`]*`|'[^']*')/g)) {
      const texts = textsByName.get(name!) ?? new Set();
      textsByName.set(name!, texts.add(text!.replace(/\s+/g, ' ')));
    }
  }
  expect(textsByName.size).toBeGreaterThan(100);
  const ambiguous = [...textsByName].filter(([, texts]) => texts.size > 1).map(([name]) => name);
  expect(ambiguous).toEqual([]);
});

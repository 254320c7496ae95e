import { readFile, writeFile } from 'node:fs/promises';
import { errorTables } from '../dist/src/platform/errors/index.js';
import { formatted } from './formatted.mjs';

/** Writes the tables of docs/errors.md from the built code; with `--check`, fails where they are not current. */
const PAGE = 'docs/errors.md';

const page = await readFile(PAGE, 'utf8');
const [before] = page.split('## Names');
const [, after] = page.split('## Codes of a validation fault');
const text = await formatted(PAGE, `${before}${errorTables()}\n\n## Codes of a validation fault${after}`);
if (!process.argv.includes('--check')) {
  await writeFile(PAGE, text);
} else if (text !== page) {
  console.error(`${PAGE} is not current: npm run documents`);
  process.exitCode = 1;
}

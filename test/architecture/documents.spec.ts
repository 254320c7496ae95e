import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { placements } from '../../migrations/placements.js';

/** Documents that are read: short lines, short cells, and two lines at the top that say what a page is for. */

const PAGES = ['README.md', ...globSync('docs/**/*.md').sort(), 'clients/typescript/README.md'];
const WIDTH = 120;

interface Line {
  readonly number: number;
  readonly text: string;
}

/** The lines outside of fenced blocks. */
function proseOf(page: string): Line[] {
  let fence: string | undefined;
  return page.split('\n').flatMap((text, i) => {
    const [, mark] = /^\s*(`{3,})/.exec(text) ?? [];
    if (!mark) return fence ? [] : [{ number: i + 1, text }];
    fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    return [];
  });
}

const isRow = ({ text }: Line) => text.trimStart().startsWith('|');
/** A word that no line break can make shorter, such as an address. */
const cannotBreak = (text: string) => text.trim().split(' ').length <= 2 && /\]\(|https?:/.test(text);
const longLines = (page: string) =>
  proseOf(page).filter((line) => !isRow(line) && line.text.length > WIDTH && !cannotBreak(line.text));

/** What a reader sees of the cells: links without their targets. */
function cellsOf({ text }: Line): string[] {
  const cells = text.trim().split(/(?<!\\)\|/);
  return cells.slice(1, -1).map((cell) => cell.trim().replaceAll(/\]\([^)]*\)/g, ']'));
}

const longCells = (page: string) =>
  proseOf(page)
    .filter((line) => isRow(line) && !/^[\s|:-]+$/.test(line.text))
    .filter((line) => cellsOf(line).some((cell) => cell.length > WIDTH));

/** The paragraph below the title. */
function purposeOf(page: string): string[] {
  const [title, empty, ...rest] = page.split('\n');
  if (!title?.startsWith('# ') || empty !== '') return [];
  return rest.slice(0, rest.indexOf(''));
}

const isProse = (lines: readonly string[]) => lines.length > 0 && /^(\*\*|`)?[A-Z]/.test(lines[0]!);

describe.each(PAGES)('%s', (file) => {
  const page = readFileSync(file, 'utf8');

  it('has lines that fit a screen', () => {
    expect(longLines(page)).toEqual([]);
  });

  it('has cells of a few words', () => {
    expect(longCells(page)).toEqual([]);
  });

  it('begins with what it is for', () => {
    const purpose = purposeOf(page);
    expect(isProse(purpose)).toBe(true);
    // A record of a decision begins with the decision, which may take more.
    if (!/\/adr\/\d/.test(file)) expect(purpose.length).toBeLessThanOrEqual(2);
  });
});

describe('the checks of the documents', () => {
  const word = 'word '.repeat(30).trim();

  it('find a long line, but not in a fenced block, a table or a bare address', () => {
    const page = ['# T', '', word, '```', word, '```', `| ${word} | b |`, `<https://${'a'.repeat(WIDTH)}>`].join('\n');
    expect(longLines(page).map(({ number }) => number)).toEqual([3]);
  });

  it('find a long cell, but not the target of a link', () => {
    const page = `| ${word} | b |\n| [a](${'b'.repeat(WIDTH)}) | b |\n| ${'-'.repeat(130)} | --- |`;
    expect(longCells(page).map(({ number }) => number)).toEqual([1]);
  });

  it.each(['# T\n\n## At once\n', '# T\n\n- a list\n', '# T\n\n| a |\n', '# T\nText\n'])(
    'find no purpose in %j',
    (page) => {
      expect(isProse(purposeOf(page))).toBe(false);
    },
  );
});

describe('the links between the documents', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
  const anchorsOf = (page: string) =>
    proseOf(page).flatMap(({ text }) => (/^#+ /.test(text) ? [slug(text.replace(/^#+ /, ''))] : []));

  it.each(PAGES)('of %s lead to pages and headings that exist', (file) => {
    const base = new URL(file, 'file:///');
    const text = proseOf(readFileSync(file, 'utf8'))
      .map((line) => line.text)
      .join('\n');
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, to]) => to!)
      .filter((to) => !/^https?:/.test(to))
      .filter((to) => {
        const { pathname, hash } = new URL(to, base);
        const path = decodeURIComponent(pathname).slice(1);
        if (globSync(path).length === 0) return true;
        return hash !== '' && !anchorsOf(readFileSync(path, 'utf8')).includes(decodeURIComponent(hash).slice(1));
      });
    expect(broken).toEqual([]);
  });
});

it('names every table, with where it lives on several machines', () => {
  const section = readFileSync('docs/scale.md', 'utf8').split('### Where tables live\n')[1]!.split('\n### ')[0]!;
  const rows = section.split('\n').filter((line) => /^\| (shards|whole|the coordinator)/.test(line));
  const named = rows.flatMap((row) => {
    const [, where, tables] = row.split('|').map((cell) => cell.trim());
    const kind = where!.startsWith('shards') ? 'distributed' : where!.startsWith('whole') ? 'reference' : 'local';
    return [...tables!.matchAll(/`([\w.*]+)`/g)].map(([, table]) => `${kind} ${table}`);
  });
  const placed = Object.entries(placements).map(
    ([name, { kind }]) => `${kind} ${name.replace(/^public\./, '').replace(/^sandbox\..*/, 'sandbox.*')}`,
  );
  expect(named.filter((one) => one !== 'local account_number').sort()).toEqual([...new Set(placed)].sort());
});

it('names everything that an account is told', () => {
  const { schemas } = JSON.parse(readFileSync('openapi.json', 'utf8')).components;
  const messages = Object.values<any>(schemas).filter((one) => one.properties?.timestamp && one.properties.type?.enum);
  const types: string[] = messages.flatMap(({ properties }) => properties.type.enum);
  expect(types.length).toBeGreaterThan(15);
  const section = readFileSync('docs/webhooks.md', 'utf8').split('## What an account is told\n')[1]!.split('\n## ')[0]!;
  expect(types.filter((type) => !section.includes(`\`${type}\``))).toEqual([]);
});

it('names every setting', () => {
  const code = globSync('src/platform/config/*.ts', { exclude: ['**/*.spec.ts'] })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  // Those of every rail of the API Pix begin with its prefix; the page has them by that of the first.
  const read = code.matchAll(/\.(?:withDefault|optional|required|demand)\(\s*['`](?:\$\{prefix\}(_\w+)|(\w+))['`]/g);
  const settings = [...read].map(([, ofRail, name]) => name ?? `BCB${ofRail}`);
  expect(settings.length).toBeGreaterThan(70);
  const page = readFileSync('docs/configuration.md', 'utf8');
  expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

/** Lines of prose in the code; what is generated is made of the longer lines of other files. */
function longComments(file: string): string[] {
  const isLong = (line: string) => /^\s*(\*|\/\/|\/\*)/.test(line) && line.length > WIDTH && !/https?:/.test(line);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, i) => (isLong(line) ? [`${file}:${i + 1}`] : []));
}

it('comments in the code have lines that fit a screen, too', () => {
  const folders = '{bench,migrations,ops,packages,scripts,src,test,clients/typescript/{src,test},console/src}';
  const written = globSync(`${folders}/**/*.{ts,mjs,js}`, { exclude: ['**/node_modules/**', '**/schema{,.d}.ts'] });
  expect(written.length).toBeGreaterThan(1_000);
  expect(written.flatMap(longComments)).toEqual([]);
});

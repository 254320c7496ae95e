import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(resolve(ROOT, 'docs/security.md'), 'utf8');

interface Row {
  readonly threat: string;
  readonly file: string;
  readonly test: string;
}

/** Rows of the tables of threats: a threat, what is done against it, and a file with the name of its test. */
function rowsOf(text: string): Row[] {
  const threats = text.slice(text.indexOf('## Threats'), text.indexOf('## What is left to the operator'));
  const lines = threats.split('\n').filter((line) => line.startsWith('|') && !/^\| *(Threat|-+) *\|/.test(line));
  return lines.map((line) => {
    const [, threat = '', , test = ''] = line.split('|').map((cell) => cell.trim());
    const [, file = '', name = ''] = /^`([^`]+)`: "(.+)"$/.exec(test) ?? [];
    return { threat, file, test: name };
  });
}

/** Whether a file declares a test, or a group of them, whose title has the name in it. */
function declares(file: string, name: string): boolean {
  const path = resolve(ROOT, file);
  if (name.length < 10 || !/\.spec\.ts$/.test(file) || !existsSync(path)) return false;
  const titles = readFileSync(path, 'utf8').matchAll(/\(\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`),/g);
  return [...titles].some(([, title]) => title!.includes(name));
}

describe('docs/security.md', () => {
  const rows = rowsOf(page);

  it('ties threats to tests', () => {
    expect(rows.length).toBeGreaterThan(35);
  });

  it.each(rows.map((row) => [row.threat, row] as const))('names a test that exists for: %s', (_, { file, test }) => {
    expect({ file, test, exists: declares(file, test) }).toEqual({ file, test, exists: true });
  });

  it('would not pass with a test that is gone, or none', () => {
    const [gone, none] = rowsOf(
      '## Threats\n| a | b | `test/e2e/login.spec.ts`: "a test that is gone" |\n| a | b | soon |\n',
    );
    expect(declares(gone!.file, gone!.test)).toBe(false);
    expect(declares(none!.file, none!.test)).toBe(false);
  });
});

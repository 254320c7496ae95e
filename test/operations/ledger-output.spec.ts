import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LedgerCopy, makeLedger } from '../support/ledger-fixture.js';
import { inherited, SETTINGS } from '../support/service.js';

let ledger: LedgerCopy;

beforeAll(async () => {
  ledger = await (await makeLedger()).copy();
}, 120_000);
afterAll(() => ledger.drop());

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs the built CLI with this as its standard output: a file, or a pipe that `read` gets. */
async function run(args: readonly string[], stdout: 'pipe' | number, read?: (child: ChildProcess) => void) {
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    env: { ...inherited(), ...SETTINGS, ...ledger.env, DATABASE_URL: ledger.url },
    stdio: ['ignore', stdout, 'pipe'],
  });
  read?.(child);
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')]);
  return { code, stderr } as Ended;
}

const COMMANDS = [['verify'], ['replay', 'balances'], ['export']];

describe('exit code 1 says that something diverges. Where the result cannot be written it is 2', () => {
  it.each(COMMANDS)(
    'to a disk that is full: %s %s',
    async (...args) => {
      const full = await open('/dev/full', 'w');
      try {
        const { code, stderr } = await run(args, full.fd);
        expect(stderr).toBe('Standard output cannot be written: ENOSPC: no space left on device, write\n');
        expect(code).toBe(2);
      } finally {
        await full.close();
      }
    },
    30_000,
  );

  it.each(COMMANDS)(
    'to somebody who reads no more, and is told nothing: %s %s',
    async (...args) => {
      const { code, stderr } = await run(args, 'pipe', ({ stdout }) => stdout!.destroy());
      expect(stderr).toBe('');
      expect(code).toBe(2);
    },
    30_000,
  );

  it.each(['/dev/full', '/nowhere/export.ndjson'])(
    'to the file %s',
    async (file) => {
      const { code, stderr } = await ledger.ledger(['export', '--output', file]);
      expect(stderr).toMatch(/ENOSPC|ENOENT/);
      expect(code).toBe(2);
    },
    30_000,
  );

  it('to a file that has an earlier one: that stays, until there is another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ledger-output-'));
    const file = join(folder, 'export.ndjson');
    try {
      expect(await ledger.ledger(['export', '--output', file])).toMatchObject({ code: 0, stderr: '' });
      const kept = await readFile(file, 'utf8');
      expect(kept).toMatch(/"kind":"end".*\n$/);
      expect(await ledger.ledger(['export', '--partition', '9', '--output', file])).toMatchObject({ code: 2 });
      expect(await readFile(file, 'utf8')).toBe(kept);
      expect(await ledger.ledger(['export', '--partition', '0', '--output', file])).toMatchObject({ code: 0 });
      expect((await readFile(file, 'utf8')).length).toBeLessThan(kept.length);
      expect(await readdir(folder)).toEqual(['export.ndjson']);
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 60_000);

  it('though the report is kept in a file, which takes its time', async () => {
    const full = await open('/dev/full', 'w');
    try {
      expect(await run(['verify', '--output', '/dev/null'], full.fd)).toMatchObject({ code: 2 });
    } finally {
      await full.close();
    }
  }, 30_000);

  it('and a report that cannot be kept is printed', async () => {
    const { code, stdout, stderr } = await ledger.ledger(['verify', '--output', '/dev/full']);
    expect(stdout).toMatch(/^OK: nothing diverges/m);
    expect(stderr).toMatch(/ENOSPC/);
    expect(code).toBe(2);
  }, 30_000);
});

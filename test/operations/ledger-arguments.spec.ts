import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LedgerCopy, makeLedger } from '../support/ledger-fixture.js';
import { SETTINGS } from '../support/service.js';

let copy: LedgerCopy;
let folder: string;
/** Of the ledger, as `verifier-key` prints one. */
let vkey: string;

beforeAll(async () => {
  copy = await (await makeLedger()).copy();
  folder = await mkdtemp(join(tmpdir(), 'ledger-arguments-'));
  await writeFile(join(folder, 'empty'), '');
  await writeFile(join(folder, 'present-key'), SETTINGS.MASTER_KEY);
  vkey = (await copy.ledger(['verifier-key'])).stdout.split('\n')[0]!;
}, 120_000);

afterAll(async () => {
  await copy.drop();
  await rm(folder, { recursive: true });
});

/** `@name` is a file in the folder, `KEY` the ledger's. */
const given = (args: readonly string[]) =>
  args.map((arg) => (arg.startsWith('@') ? join(folder, arg.slice(1)) : arg === 'KEY' ? vkey : arg));

const NOBODY = '01a22b00-4fa8-7001-ad92-135eab993fff';

describe('what a command cannot use is refused with 2: the message names it, without a stack', () => {
  it.each([
    [['verify', '--checkpoint', '@nothing'], /^--checkpoint \S+nothing: ENOENT/],
    [['verify', '--checkpoint', '@'], /^--checkpoint \S+: EISDIR/],
    [['verify', '--checkpoint', '@empty'], /^--checkpoint \S+empty: the note has no signature/],
    [['verify', '--vkey', 'nonsense'], /'--vkey <key>' argument 'nonsense' is invalid/],
    [['verify', '--output', ''], /'--output <file>' argument '' is invalid. must not be empty/],
    [['import', '--verify-only', '@nothing'], /^ENOENT: .*nothing'/],
    [['import', '--verify-only', '@empty', '--witness', 'nonsense'], /'--witness <key>' argument 'nonsense'/],
    [['import', '--verify-only', '@empty', '--vkey', 'KEY', '--checkpoint', '@'], /^--checkpoint \S+: EISDIR/],
    [['export', '--partner', 'nonsense'], /'--partner <uid>' argument 'nonsense' is invalid. must be a UUID/],
    [['export', '--partition', '1', '--from', '5', '--to', '2'], /^--from is after --to/],
    [['export', '--output', ''], /'--output <file>' argument '' is invalid/],
    [['replay', 'balances', '--partition', '9'], /^There is no partition 9\./],
    [['replay', 'account', NOBODY], /was not found/],
    [['replay', 'transaction', NOBODY], /was not found/],
    [['forget', '--tax-number', '52998224725', '--partner', ''], /'--partner <uid>' argument '' is invalid/],
    [['forget', '--tax-number', '52998224725', '--partner', NOBODY], /^PartnerEntity .* was not found/],
    [['rotate-master-key', '--new-key-file', '@nothing'], /^--new-key-file \S+nothing: ENOENT/],
    [['rotate-master-key', '--new-key-file', '@present-key'], /^The new key is the present MASTER_KEY/],
    [['seal-deliveries', '--before', '2999-01-01T00:00:00Z'], /^--before is in the future/],
    [['rebuild', '--projection', 'entries', '--projection', 'directory'], /'--projection <name>' is given twice/],
    [['witness', '--vkey', 'KEY', '--port', '65536'], /'--port <port>' argument '65536' is invalid/],
    [['witness', '--vkey', 'KEY', '--name', 'two words'], /'--name <name>' argument 'two words' is invalid/],
    [['witness', '--vkey', 'KEY', '--folder', '@empty'], /^EEXIST: .*empty'/],
  ])(
    '%j',
    async (args, message) => {
      const { code, stdout, stderr } = await copy.ledger(given(args));
      expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
      expect(stderr).not.toMatch(/^ +at /m);
    },
    30_000,
  );

  it('a port that somebody else has', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => other.once('listening', listening));
    const { port } = other.address() as AddressInfo;
    try {
      const args = given(['witness', '--vkey', 'KEY', '--folder', '@witness', '--port', String(port)]);
      const { code, stderr } = await copy.ledger(args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^listen EADDRINUSE: .*\n$/) });
    } finally {
      other.close();
    }
  }, 30_000);

  it('a database without a schema', async () => {
    const empty = new URL(copy.url);
    empty.pathname = '/template1';
    for (const command of [['replay', 'balances'], ['export']]) {
      const { code, stderr } = await copy.ledger(command, { DATABASE_URL: empty.href });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(
          /^The database is not ready for this version: .* Run `ledger migrate` first.*\n$/,
        ),
      });
    }
  }, 30_000);
});

describe('what is there, and has nothing, is shown as nothing', () => {
  it('an account without entries, and a time before there were any', async () => {
    const [account] = await copy.query<{ uid: string }>('select uid from account where entries = 0 limit 1');
    const nothing = { code: 0, stdout: '[]\n', stderr: '' };
    expect(await copy.ledger(['replay', 'account', account!.uid, '--format', 'json'])).toEqual(nothing);
    const before = ['--moment', '2020-01-01', '--format', 'json'];
    expect(await copy.ledger(['replay', 'account', NOBODY, ...before])).toEqual(nothing);
  }, 30_000);
});

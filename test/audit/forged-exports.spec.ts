import { spawn, spawnSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parseVerifier, signCheckpoint, verifierOf } from '../../src/audit/checkpoints/note.js';
import { ImportVerifier } from '../../src/audit/export/import-verifier.js';
import { linesOf } from '../../src/audit/export/lines-of.js';
import { hashEvent } from '../../src/event-store/log/leaf.js';
import { appendLeaf, EMPTY_TREE, rootOf } from '../../src/event-store/log/merkle.js';
import { runLedger } from '../support/ledger-cli.js';

const page = readFileSync('docs/audit-format.md', 'utf8');
const block = (name: string) => new RegExp(`\`\`\`\\w+ ${name}\n([\\s\\S]*?)\n\`\`\``).exec(page)![1]!;
const vkey = block('vkey');

/** The page's key: its holder can sign anything, and a verifier must still check what is signed. */
const KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});
const ORIGIN = vkey.split('+')[0]!;

function verify(text: string, notes: readonly string[] = []) {
  const verifier = new ImportVerifier([parseVerifier(vkey)], notes);
  for (const line of text.split('\n')) verifier.take(line);
  return verifier.finish();
}

const folder = mkdtempSync(join(tmpdir(), 'forged-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) process.stderr.write('python3 is not on this machine: the second verifier of exports is not asked\n');

/**
 * Runs the Python verifier from its beginning for each line of arguments, in one process: to start Python costs more
 * than to verify.
 */
const ONE_AFTER_ANOTHER = `
import contextlib, io, json, sys, traceback
with open("test/oracles/export.py", encoding="utf-8") as file:
    program = compile(file.read(), file.name, "exec")
for line in sys.stdin:
    sys.argv = ["export.py", *json.loads(line)]
    status, stdout, stderr = 0, io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        try:
            exec(program, {"__name__": "__main__"})
        except SystemExit as end:
            status = end.code
        except BaseException:
            status = 1
            traceback.print_exc()
    print(json.dumps({"status": status, "stdout": stdout.getvalue(), "stderr": stderr.getvalue()}), flush=True)
`;
const python = hasPython
  ? spawn('python3', ['-c', ONE_AFTER_ANOTHER], { stdio: ['pipe', 'pipe', 'inherit'] })
  : undefined;
const answers = python && createInterface({ input: python.stdout })[Symbol.asyncIterator]();
afterAll(async () => {
  if (!python) return;
  python.stdin.end();
  await once(python, 'exit');
});

/** The result of the Python verifier; `undefined` without Python. */
async function askPython(text: string | Uint8Array, notes: readonly string[] = []): Promise<boolean | undefined> {
  if (!python) return undefined;
  const write = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const known = notes.flatMap((note, i) => ['--checkpoint', write(`note-${i}`, note)]);
  python.stdin.write(`${JSON.stringify(['--vkey', vkey, ...known, write('export', text)])}\n`);
  const { status, stdout, stderr } = JSON.parse((await answers!.next()).value!);
  if (status === 1 && stderr === '') expect(stdout).not.toBe('');
  else if (status !== 0) throw new Error(stderr);
  return status === 0;
}

/** Asserts that both agree about a file. @returns its problems */
async function problemsOf(text: string, notes: readonly string[] = []): Promise<string> {
  const { ok, problems } = verify(text, notes);
  expect((await askPython(text, notes)) ?? ok).toBe(ok);
  return problems.join('\n');
}

type Forge = (text: string) => string;
const swap =
  (from: string | RegExp, to: string): Forge =>
  (text) =>
    text.replace(from, to);
const lines =
  (change: (all: string[]) => string[]): Forge =>
  (text) =>
    change(text.split('\n')).join('\n');

/** As by `forge`, and signed with the page's key: root and note match the forged events. */
const signed =
  (forge: Forge): Forge =>
  (text) => {
    const all = forge(text).split('\n');
    const leaves = all.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'event');
    const tree = leaves
      .map((event) => hashEvent({ ...event, position: BigInt(event.position), time: new Date(event.time) }))
      .reduce(appendLeaf, EMPTY_TREE);
    const note = signCheckpoint({ origin: ORIGIN, size: tree.size, root: rootOf(tree) }, KEY);
    const checkpoint = JSON.stringify({ ...JSON.parse(all[1]!), note });
    const end = JSON.stringify({ kind: 'end', events: leaves.length });
    return [all[0], checkpoint, ...all.slice(2, -1), end].join('\n');
  };

/** Changes of the page's example, and the problem to be reported. */
const FORGED: readonly (readonly [what: string, forge: Forge, message: RegExp])[] = [
  ['a partition given twice', lines((all) => [...all.slice(0, -1), ...all.slice(1)]), /given twice/],
  ['a member given twice', swap('"version":1', '"version":9,"version":1'), /given twice/],
  ['a kind given twice', swap('{"kind":"event"', '{"kind":"header","kind":"event"'), /given twice/],
  ['an unknown kind', lines((all) => all.toSpliced(2, 0, '{"kind":"note"}')), /no kind "note"/],
  ['a kind of the prototype', lines((all) => all.toSpliced(2, 0, '{"kind":"constructor"}')), /no kind "constructor"/],
  ['an unknown member', swap('"complete":', '"sure":true,"complete":'), /sure is no member/],
  ['a member left out', swap('"schemaVersion":1,', ''), /schemaVersion is not/],
  ['a leading zero of a position', swap('"position":"1"', '"position":"01"'), /position is not/],
  ['a position that is a number', swap('"position":"1"', '"position":1'), /position is not/],
  ['a position of zero', swap('"position":"1"', '"position":"0"'), /position is not/],
  ['a version with a fraction', swap('"version":1', '"version":1.0'), /one form/],
  ['a version as a power', swap('"version":1', '"version":1e0'), /one form/],
  ['a version that is text', swap('"version":1', '"version":"1"'), /version is not/],
  ['a negative time', swap('"time":1', '"time":-1'), /time is not/],
  ['white space', swap('"version":1', '"version": 1'), /one form/],
  ['an escape more', swap('AccountOpened"', 'AccountOpene\\u0064"'), /one form/],
  ['an upper case id', swap('"id":"019aa1d0', '"id":"019AA1D0'), /id is not/],
  ['data that is no JSON', swap('"data":"{', '"data":"{{'), /cannot be read/],
  ['half a pair of surrogates', swap('operator:ana', 'operator:\\ud800'), /metadata is not/],
  ['data that is a list', swap(/"data":"\{.*?\}","metadata"/, '"data":"[]","metadata"'), /data is not/],
  ['a list in place of a line', lines((all) => all.toSpliced(2, 0, '[]')), /no object/],
  ['null in place of a line', lines((all) => all.toSpliced(2, 0, 'null')), /no object/],
  ['a line that is empty', lines((all) => all.toSpliced(2, 0, '')), /cannot be read/],
  ['a second header', lines((all) => [all[0]!, ...all]), /out of place/],
  ['no header', lines((all) => all.slice(1)), /out of place/],
  ['another format', swap('export/1"', 'export/2"'), /format is not/],
  ['a partner that is none', swap('"partner":null', '"partner":"x"'), /partner is not/],
  ['no end', lines((all) => all.slice(0, -1)), /no end/],
  ['two ends', lines((all) => [...all, all.at(-1)!]), /after the end/],
  ['an end that counts more', swap('"events":3', '"events":4'), /the end counts 4/],
  ['an event left out', lines((all) => all.toSpliced(3, 1)), /position 3 after 1/],
  ['the last event left out', lines((all) => all.toSpliced(4, 1)), /2 events of 3/],
  ['an event twice', lines((all) => all.toSpliced(3, 0, all[3]!)), /position 2 after 2/],
  ['events in another order', lines((all) => [...all.slice(0, 2), all[3]!, all[2]!, ...all.slice(4)]), /position 2/],
  ['an event before its checkpoint', lines((all) => all.toSpliced(1, 2, all[2]!, all[1]!)), /without its checkpoint/],
  ['an event of another partition', swap('"event","partition":1', '"event","partition":2'), /without its checkpoint/],
  ['a checkpoint of another partition', swap('"checkpoint","partition":1', '"checkpoint","partition":2'), /not of/],
  ['another amount', swap('-1050', '-1051'), /not those that were signed/],
  ['another time', swap('"time":1763', '"time":1764'), /not those that were signed/],
  ['another actor', swap('operator:ana', 'operator:eva'), /not those that were signed/],
  ['another size', swap('partition-1\\n3\\n', 'partition-1\\n2\\n'), /no good signature/],
  ['another root', swap('\\n+80z', '\\n+80A'), /no good signature/],
  ['another origin', swap('"note":"partner', '"note":"partnex'), /no good signature/],
  ['no signature', swap(/\\n\\n— .*?\\n"/, '\\n"'), /no signature/],
  ['another signature', swap(' H+ZL6tCl67', ' H+ZL6tCl68'), /no good signature/],
  ['a bad one beside it', swap(/(— \S+ )(H\+ZL6t)(\S+=)\\n"/, '$1$2$3\\n$1$2T$3\\n"'), /no good signature/],
];

/** Invalid exports, signed by the holder of the key. */
const SIGNED: readonly (readonly [what: string, forge: Forge, message: RegExp])[] = [
  ['a time before the one before it', swap('"time":1763647445123', '"time":1763647445120'), /its time is before/],
  ['an id twice', swap('6b03","stream', '6b02","stream'), /is given twice/],
  ['a version left out', swap('"version":2', '"version":3'), /version 3 of stream .* after 1/],
  ['a stream that begins with 2', swap('6d01","version":1', '6d01","version":2'), /version 2 of stream .* after 0/],
  ['a version twice', swap('"version":2', '"version":1'), /version 1 of stream .* after 1/],
  [
    'postings that do not sum to zero',
    swap('\\"amount\\":\\"1050\\",\\"entry\\":1', '\\"amount\\":\\"1051\\",\\"entry\\":1'),
    /sum to 1/,
  ],
  ['a posting left out', swap(/,\{\\"account\\":\\"[^}]*\\"1050\\"\}/, ''), /sum to -1050/],
  ['an entry left out', swap('\\"entry\\":2', '\\"entry\\":3'), /entry 3 of account .* after 1/],
  ['an entry twice', swap('\\"entry\\":2', '\\"entry\\":1'), /entry 1 of account .* after 1/],
  ['a balance that does not follow', swap('\\"98950\\"', '\\"98951\\"'), /comes to 98950/],
  ['a balance of the other bucket', swap(/available(\\",\\"amount\\":\\"-1050)/, 'held$1'), /comes to -1050/],
  ['an amount with a leading zero', swap('\\"-1050\\"', '\\"-01050\\"'), /not as the format/],
  ['an amount that is a number', swap('\\"amount\\":\\"-1050\\"', '\\"amount\\":-1050'), /not as the format/],
  ['a bucket that is none', swap(/available(\\",\\"amount\\":\\"-1050)/, 'spent$1'), /not as the format/],
  ['postings that are no list', swap(/\\"postings\\":\[.*?\]/, '\\"postings\\":{}'), /not as the format/],
  ['white space after data', swap(/\}","metadata"/, '} ","metadata"'), /data is not/],
  ['data with a number that is none', swap(/("data":"\{)/, '$1\\"x\\":NaN,'), /cannot be read/],
  ['a proof where none belongs', swap('operator:ana\\"}"}', 'operator:ana\\"}","proof":[]}'), /where none belongs/],
];

/** A state of the page's log, as a checkpoint from another source. */
function noteOf(size: number, change: Forge = (text) => text): string {
  const events = change(block('export'))
    .split('\n')
    .slice(2, 2 + size);
  const tree = events
    .map((line) => JSON.parse(line))
    .map((event) => hashEvent({ ...event, position: BigInt(event.position), time: new Date(event.time) }))
    .reduce(appendLeaf, EMPTY_TREE);
  return signCheckpoint({ origin: ORIGIN, size: BigInt(size), root: rootOf(tree) }, KEY);
}

describe('an export', () => {
  it('as the page has it is accepted', async () => {
    expect(await problemsOf(block('export'))).toBe('');
    expect(await problemsOf(block('partial'))).toBe('');
    expect(await problemsOf(signed((text) => text)(block('export')))).toBe('');
  });

  it.each(FORGED)('with %s is refused', async (_what, forge, message) => {
    const forged = forge(block('export'));
    expect(forged).not.toBe(block('export'));
    expect(await problemsOf(forged)).toMatch(message);
  });

  it.each<readonly [string, Forge, RegExp]>([
    ['a hash left out', swap(/,"[^"]*"\]/, ']'), /not the one/],
    ['a hash too many', swap('"proof":[', `"proof":["${'A'.repeat(43)}=",`), /not the one/],
    ['the hashes in another order', swap(/"proof":\[(.*?),(.*?)\]/, '"proof":[$2,$1]'), /not the one/],
    ['a hash in another form', swap('aF8="', 'aF9="'), /proof is not/],
    ['a short hash', swap('["q0mj', '["'), /proof is not/],
    ['no proof', swap(/,"proof":\[.*?\]/, ''), /not the one/],
    ['another position', swap('"position":"2"', '"position":"3"'), /not the one/],
    ['a position beyond the tree', swap('"position":"2"', '"position":"4"'), /not the one/],
    ['the claim to be complete', swap('"complete":false', '"complete":true'), /position 2 after 0/],
  ])('in part with %s is refused', async (_what, forge, message) => {
    const forged = forge(block('partial'));
    expect(forged).not.toBe(block('partial'));
    expect(await problemsOf(forged)).toMatch(message);
  });

  it.each(SIGNED)('with %s is refused, though it is signed', async (_what, forge, message) => {
    const forged = signed(forge)(block('export'));
    expect(forge(block('export'))).not.toBe(block('export'));
    expect(await problemsOf(forged)).toMatch(message);
  });
});

describe('an export with a text that is not read alike everywhere', () => {
  const withText = (text: string) => signed(swap('operator:ana', text))(block('export'));
  const asked = async (file: string | Uint8Array) => {
    const path = join(folder, 'read');
    writeFileSync(path, file);
    const { code, stdout } = await runLedger(['import', '--verify-only', path, '--vkey', vkey], {});
    expect((await askPython(file)) ?? code === 0).toBe(code === 0);
    return stdout;
  };

  it('is accepted: a line ends in a line feed, and in no other character that ends one elsewhere', async () => {
    expect(await asked(withText('one\u2028two\u2029three\u0085four'))).toMatch(/^OK: 3 events/m);
  });

  it('is refused with another end of its lines', async () => {
    expect(await asked(block('export').replaceAll('\n', '\r\n'))).toMatch(/line 1: cannot be read/);
  });

  it('is not another one by what is hashed, or decoded, as the same', async () => {
    const told = withText('operator:\ufffd');
    expect(await problemsOf(told)).toBe('');
    expect(await problemsOf(told.replace('\ufffd', '\\udfff'))).toMatch(/metadata is not as the format has it/);
    const bytes = Buffer.from(told);
    const at = bytes.indexOf('\ufffd');
    const damaged = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 3)]);
    expect(await asked(damaged)).toMatch(/line 3: cannot be read/);
  });

  it.each([1, 2, 3, 100])('is read in whatever pieces it comes: %s bytes at a time', async (size) => {
    const bytes = Buffer.from('é\n\n€uro\u2028\nend');
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    const lines: string[] = [];
    for await (const line of linesOf(Readable.from(pieces))) lines.push(String(line));
    expect(lines).toEqual(['é', '', '€uro\u2028', 'end']);
  });
});

describe('an export, compared with a checkpoint from another source,', () => {
  it('that is of its own history is accepted', async () => {
    expect(await problemsOf(block('export'), [noteOf(2), noteOf(3)])).toBe('');
    expect(await problemsOf(block('partial'), [noteOf(3)])).toBe('');
  });

  const other = swap('operator:ana', 'operator:eva');
  it.each([
    [
      'of a later state is a rollback',
      signed((text) => text.replace(/\n.*"position":"3".*/, '')),
      noteOf(3),
      /rollback/,
    ],
    ['of as many other events is a split view', (text: string) => text, noteOf(3, other), /split view/],
    ['of fewer other events is a split view', (text: string) => text, noteOf(2, other), /split view/],
    ['of fewer events cannot be held against a part', () => block('partial'), noteOf(2), /not complete/],
  ])('%s', async (_what, forge, note, message) => {
    expect(await problemsOf(forge(block('export')), [note])).toMatch(message);
  });

  it('of another log is missed', () => {
    const origin = ORIGIN.replace('partition-1', 'partition-2');
    const note = signCheckpoint({ origin, size: 1n, root: Buffer.alloc(32) }, KEY);
    const verifier = new ImportVerifier([parseVerifier(vkey), verifierOf(origin, KEY)], [note]);
    for (const line of block('export').split('\n')) verifier.take(line);
    expect(verifier.finish().problems.join('\n')).toMatch(/nothing was held against the checkpoint of 1 events/);
  });

  it('that no known key has signed is refused', async () => {
    const note = noteOf(2).replace(/H\+ZL6.../, 'H+ZL6AAA');
    expect(() => verify(block('export'), [note])).toThrow('no good signature');
    expect((await askPython(block('export'), [note])) ?? false).toBe(false);
  });
});

it('sixty forged exports, and more', () => {
  expect(FORGED.length + SIGNED.length + 9 + 6).toBeGreaterThanOrEqual(60);
});

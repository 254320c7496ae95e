import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPrivateKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeVerifier, signCheckpoint, verifierOf } from '../../src/audit/checkpoints/note.js';
import { encodeLeaf, hashEvent } from '../../src/event-store/log/leaf.js';
import { type LedgerCopy, type LedgerFixture, makeLedger } from '../support/ledger-fixture.js';
import {
  exportProves,
  leafBytes,
  leafHash,
  openNote,
  rootFromInclusion,
  rootOf,
  rootsFromConsistency,
} from '../support/second-verifier.js';

const page = readFileSync('docs/audit-format.md', 'utf8');

/** A block of the page's worked example. */
function block(name: string): string {
  const found = new RegExp(`\`\`\`\\w+ ${name}\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`the page has no block ${name}`);
  return found;
}

const base64 = (text: string) => Buffer.from(text, 'base64');
const lines = block('export')
  .split('\n')
  .map((line) => JSON.parse(line));
const events = lines.filter(({ kind }) => kind === 'event');
const hashes = JSON.parse(block('hashes'));
const toRow = (event: any) => ({ ...event, position: BigInt(event.position), time: new Date(event.time) });

describe('the worked example of docs/audit-format.md', () => {
  it('is what the service produces', () => {
    expect(encodeLeaf(toRow(events[0])).toString('hex')).toBe(block('leaf').replaceAll('\n', ''));
    expect(events.map((event) => hashEvent(toRow(event)).toString('base64'))).toEqual(hashes.leaves);
    const seed = Buffer.alloc(32, 7);
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const origin = 'partner-payments-service/12345678/partition-1';
    expect(signCheckpoint({ origin, size: 3n, root: base64(hashes.root) }, key)).toBe(`${block('note')}\n`);
    expect(encodeVerifier(verifierOf(origin, key))).toBe(block('vkey'));
    expect(lines[1]).toMatchObject({ note: `${block('note')}\n`, vkey: block('vkey') });
  });

  it('is what a verifier written from the page alone produces', () => {
    expect(leafBytes(events[0]).toString('hex')).toBe(block('leaf').replaceAll('\n', ''));
    const leaves = events.map(leafHash);
    expect(leaves.map((leaf) => leaf.toString('base64'))).toEqual(hashes.leaves);
    expect(rootOf(leaves).toString('base64')).toBe(hashes.root);
    expect(openNote(`${block('note')}\n`, block('vkey'))).toMatchObject({ size: 3, root: base64(hashes.root) });
    expect(exportProves(block('export'), [block('vkey')])).toBe(true);
    expect(exportProves(block('partial'), [block('vkey')])).toBe(true);
    const { from, fromRoot, to, toRoot, path } = JSON.parse(block('consistency'));
    const roots = rootsFromConsistency(from, to, path.map(base64), base64(fromRoot));
    expect(roots.map((root) => root.toString('base64'))).toEqual([fromRoot, toRoot]);
  });

  it.each(['data', 'metadata', 'stream', 'type', 'id'])('proves nothing with a changed %s', (column) => {
    for (const name of ['export', 'partial']) {
      const changed = block(name).replace(new RegExp(`("${column}":")(.)`), '$1x$2');
      expect(changed).not.toBe(block(name));
      expect(exportProves(changed)).toBe(false);
    }
  });
});

describe('the second verifier', () => {
  let ledger: LedgerFixture;
  let copy: LedgerCopy;
  beforeAll(async () => {
    ledger = await makeLedger();
    copy = await ledger.copy();
  }, 60_000);
  afterAll(() => copy?.drop());

  it("proves the service's own exports, whole and in part", async () => {
    const whole = (await copy.ledger(['export'])).stdout;
    expect(exportProves(whole)).toBe(true);
    const part = (await copy.ledger(['export', '--partner', ledger.partner.uid])).stdout;
    expect(exportProves(part)).toBe(true);
    // The third, in Python, where the machine has it: what it says of forgeries is in forged-exports.spec.ts.
    const file = join(copy.dataDir, 'export.ndjson');
    for (const text of [whole, part]) {
      await writeFile(file, text);
      const { status, stdout, error } = spawnSync('python3', ['test/oracles/export.py', file], { encoding: 'utf8' });
      if (!error) expect([status, stdout]).toEqual([0, '']);
    }
    const { stdout: keys } = await copy.ledger(['verifier-key']);
    const vkeys = keys.trim().split('\n');
    expect(exportProves(whole, vkeys)).toBe(true);
    await writeFile(file, whole);
    const known = join(copy.dataDir, 'checkpoints', `partition-${ledger.partition}.checkpoint`);
    const keyArgs = vkeys.flatMap((key) => ['--vkey', key]);
    const imported = await copy.ledger([
      'import',
      '--verify-only',
      file,
      ...keyArgs,
      '--checkpoint',
      known,
      '--partial',
    ]);
    expect(imported.stdout).toMatch(/^OK: /m);
    expect(exportProves(whole.replace('"stream":"a', '"stream":"b'))).toBe(false);
    expect(exportProves(part.replace('"time":1', '"time":2'))).toBe(false);
  }, 30_000);

  it('agrees on the root that a proof of inclusion leads to', () => {
    const [, event] = JSON.parse(`[${block('partial').split('\n').slice(1, 3).join(',')}]`);
    const root = rootFromInclusion(leafHash(event), 1, 3, event.proof.map(base64));
    expect(root.toString('base64')).toBe(hashes.root);
  });
});

import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { checkInclusion, type InclusionProof } from './check-proof.js';
import { toBase64 } from '../format/bytes.js';
import { rootFromPath, sameBytes } from './inclusion.js';
import { leafHash, type LeafColumns } from './leaf.js';
import { isSignedBy, parseCheckpoint } from './note.js';

/** The worked example of docs/audit-format.md: position 2 alone, with its proof. */
const page = readFileSync('docs/audit-format.md', 'utf8');
const example = (fence: string) => page.split(`\`\`\`${fence}\n`)[1]!.split('\n```')[0]!;
const [, checkpoint, event] = example('ndjson partial')
  .split('\n')
  .map((line) => JSON.parse(line)) as [unknown, { note: string; vkey: string }, LeafColumns & { proof: string[] }];
const proof: InclusionProof = { index: '1', size: '3', path: event.proof, note: checkpoint.note };
const { leaves, root } = JSON.parse(example('json hashes')) as { leaves: string[]; root: string };

/** The text with one character changed: the first one in what the pattern finds. */
function altered(text: string, pattern: RegExp): string {
  const { index } = pattern.exec(text)!;
  return `${text.slice(0, index)}${text[index] === '1' ? '2' : '1'}${text.slice(index + 1)}`;
}

describe('the proof of inclusion', () => {
  it('holds for the worked example of the audit format', async () => {
    const report = await checkInclusion(event, proof, checkpoint.vkey);
    expect(report).toEqual({
      leaf: leaves[1],
      computed: root,
      steps: [
        { side: 'left', sibling: expect.anything(), node: expect.anything() },
        { side: 'right', sibling: expect.anything(), node: expect.anything() },
      ],
      signedRoot: root,
      place: true,
      included: true,
      signed: true,
      holds: true,
    });
    expect(report.steps.map(({ sibling }) => toBase64(sibling))).toEqual([leaves[0], leaves[2]]);
    expect(toBase64(report.steps.at(-1)!.node)).toBe(root);
  });

  it.each<[string, Partial<LeafColumns>]>([
    ['a byte of its data', { data: altered(event.data, /\d(?=")/) }],
    ['its time', { time: event.time + 1 }],
    ['its author', { metadata: altered(event.metadata, /(?<="actor":")./) }],
  ])('fails when %s is changed', async (_, change) => {
    const report = await checkInclusion({ ...event, ...change }, proof, checkpoint.vkey);
    expect(report).toMatchObject({ included: false, signed: true, holds: false });
  });

  it('fails for another place, another path, another root and another signer', async () => {
    const moved = await checkInclusion({ ...event, position: '3' }, proof, checkpoint.vkey);
    expect(moved).toMatchObject({ place: false, holds: false });
    const shorter = await checkInclusion(event, { ...proof, path: event.proof.slice(1) }, checkpoint.vkey);
    expect(shorter).toMatchObject({ computed: null, holds: false });
    const forged = await checkInclusion(
      event,
      { ...proof, note: altered(proof.note, /(?<=^.*\n.*\n)./) },
      checkpoint.vkey,
    );
    expect(forged).toMatchObject({ included: false, signed: false, holds: false });
    const stranger = altered(checkpoint.vkey, /(?<=^[^+]*\+)./);
    expect(await checkInclusion(event, proof, stranger)).toMatchObject({ included: true, signed: false, holds: false });
    for (const cut of ['', checkpoint.vkey.slice(0, -1), `${checkpoint.vkey} …`]) {
      expect(await checkInclusion(event, proof, cut)).toMatchObject({ signed: false, holds: false });
    }
    const unsigned = proof.note.slice(0, proof.note.indexOf('\n\n') + 2);
    expect(await checkInclusion(event, { ...proof, note: unsigned }, checkpoint.vkey)).toMatchObject({ holds: false });
  });

  it('fails where a bad signature of the key stands beside the good one, before it or behind it', async () => {
    const end = proof.note.indexOf('\n\n') + 2;
    const [text, good] = [proof.note.slice(0, end), proof.note.slice(end)];
    const bytes = Buffer.from(/\S+(?=\n$)/.exec(good)![0], 'base64');
    const named = (signature: Uint8Array) => good.replace(/\S+(?=\n$)/, Buffer.from(signature).toString('base64'));
    const bad = [named(bytes.with(-1, bytes.at(-1)! ^ 1)), named(bytes.subarray(0, 40))];
    for (const note of bad.flatMap((one) => [text + one + good, text + good + one])) {
      expect(await checkInclusion(event, { ...proof, note }, checkpoint.vkey)).toMatchObject({ signed: false });
    }
    const anothers = named(bytes.with(0, bytes[0]! ^ 1));
    const note = text + anothers + good;
    expect(await checkInclusion(event, { ...proof, note }, checkpoint.vkey)).toMatchObject({ holds: true });
  });

  it('is of its place alone: its partition, its position and the size of its tree', async () => {
    const places: [Partial<LeafColumns>, Partial<InclusionProof>][] = [
      [{ partition: event.partition + 1 }, {}],
      [{ position: '1' }, {}],
      [{}, { size: '4' }],
      [{}, { index: '0' }],
      [{}, { note: proof.note.replaceAll('partition-', 'partition-9') }],
    ];
    for (const [where, told] of places) {
      const report = await checkInclusion({ ...event, ...where }, { ...proof, ...told }, checkpoint.vkey);
      expect(report).toMatchObject({ place: false, holds: false });
    }
  });

  it('takes only a signature under the name and the id of the key', async () => {
    const end = proof.note.indexOf('\n\n') + 2;
    const [text, good] = [proof.note.slice(0, end), proof.note.slice(end)];
    const name = text.split('\n')[0]!;
    const bytes = Buffer.from(/\S+(?=\n$)/.exec(good)![0], 'base64');
    const signedBy = (signature: Uint8Array) => good.replace(/\S+(?=\n$)/, Buffer.from(signature).toString('base64'));
    const anothers = signedBy(bytes.with(0, bytes[0]! ^ 1).with(-1, bytes.at(-1)! ^ 1));
    for (const line of [good.replace(name, `${name}x`), good.replace('\u2014', '-'), `\u2014 ${name}\n`, anothers]) {
      expect(await isSignedBy(text + line, checkpoint.vkey)).toBe(false);
      expect(await isSignedBy(text + line + good, checkpoint.vkey)).toBe(true);
    }
    const [, , encoded] = /^([^+]*)\+([^+]*)\+(.*)$/.exec(checkpoint.vkey)!.slice(1);
    const another = Buffer.from(encoded!, 'base64').with(0, 2);
    const id = hash(Buffer.concat([Buffer.from(`${name}\n`), another])).subarray(0, 4);
    const underId = signedBy(Buffer.concat([id, bytes.subarray(4)]));
    const vkey = [name, id.toString('hex'), Buffer.from(another).toString('base64')].join('+');
    expect(await isSignedBy(text + underId, vkey)).toBe(false);
    for (const cut of ['', name, `${name}+`, checkpoint.vkey.replace(name, ''), `+${checkpoint.vkey}`]) {
      expect(await isSignedBy(proof.note, cut)).toBe(false);
    }
  });

  it('takes no signature of a key that has another name than the origin', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
    const key = Buffer.concat([Buffer.of(1), raw]);
    const signedAs = async (name: string, origin: string) => {
      const text = `${origin}\n3\n${root}\n`;
      const id = hash(Buffer.concat([Buffer.from(`${name}\n`), key])).subarray(0, 4);
      const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]).toString('base64');
      const vkey = [name, id.toString('hex'), key.toString('base64')].join('+');
      return isSignedBy(`${text}\n\u2014 ${name} ${signature}\n`, vkey);
    };
    expect(await signedAs('a.example/partition-1', 'a.example/partition-1')).toBe(true);
    expect(await signedAs('a.example/partition-1', 'b.example/partition-1')).toBe(false);
  });

  it.each([
    ['no origin', 0, ''],
    ['a size with a zero before it', 1, '03'],
    ['a size below zero', 1, '-3'],
    ['a size that is none', 1, 'x'],
    ['a root that is none', 2, 'x'],
    ['a line after the root', 3, 'x'],
  ])('has no checkpoint in a note that has %s, or ends before', (_what, line, text) => {
    const lines = proof.note.split('\n');
    expect(parseCheckpoint(lines.join('\n'))).toMatchObject({ size: 3n });
    expect(parseCheckpoint(lines.with(line, text).join('\n'))).toBeNull();
    expect(parseCheckpoint(lines.slice(0, line).join('\n'))).toBeNull();
  });

  it('needs a path of the right length, and hashes of one length', async () => {
    const leaf = Uint8Array.of(1);
    expect(await rootFromPath(leaf, 0n, 1n, [])).toEqual(leaf);
    expect(await rootFromPath(leaf, 0n, 1n, [leaf])).toBeNull();
    expect(await rootFromPath(leaf, -1n, 1n, [])).toBeNull();
    expect(await rootFromPath(leaf, -1n, 2n, [leaf])).toBeNull();
    expect(await rootFromPath(leaf, 0n, 2n, [])).toBeNull();
    expect([sameBytes(leaf, Uint8Array.of(1, 2)), sameBytes(Uint8Array.of(1, 2), leaf)]).toEqual([false, false]);
    expect(sameBytes(Uint8Array.of(), leaf)).toBe(false);
  });

  it('holds for every leaf of the known trees of Certificate Transparency, and for no other place', async () => {
    const known = JSON.parse(readFileSync('test/vectors/merkle.json', 'utf8')) as { leaves: string[]; roots: string[] };
    const hashes = known.leaves.map((leaf) => hash(Buffer.from(`00${leaf}`, 'hex')));
    for (let size = 1; size <= hashes.length; size++) {
      for (let index = 0; index < size; index++) {
        const path = pathOf(index, hashes.slice(0, size)).map((one) => Uint8Array.from(one));
        const at = (place: number) => rootFromPath(Uint8Array.from(hashes[index]!), BigInt(place), BigInt(size), path);
        expect(Buffer.from((await at(index))!).toString('hex')).toBe(known.roots[size]);
        const elsewhere = await at((index + 1) % (size + 1));
        expect(elsewhere && Buffer.from(elsewhere).toString('hex')).not.toBe(known.roots[size]);
      }
    }
    expect(toBase64(await leafHash(event))).toBe(leaves[1]);
  });
});

/** PATH of RFC 6962, 2.1.1, written down from its definition. */
function pathOf(index: number, leaves: Buffer[]): Buffer[] {
  if (leaves.length === 1) return [];
  const left = splitOf(leaves.length);
  return index < left
    ? [...pathOf(index, leaves.slice(0, left)), rootOf(leaves.slice(left))]
    : [...pathOf(index - left, leaves.slice(left)), rootOf(leaves.slice(0, left))];
}

function rootOf(leaves: Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0]!;
  const left = splitOf(leaves.length);
  return hash(Buffer.concat([Buffer.of(1), rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left))]));
}

const splitOf = (size: number) => 2 ** Math.ceil(Math.log2(size) - 1);
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

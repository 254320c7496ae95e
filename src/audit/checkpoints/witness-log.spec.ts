import { generateKeyPairSync, hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cosignedAt, parseWitnessKey } from './cosignature.js';
import { signCheckpoint, verifierOf } from './note.js';
import { WitnessLog } from './witness-log.js';

const ORIGIN = 'log.example/1';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witness-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a witness of a log whose key has changed', () => {
  it('cosigns what either key has signed, and nothing else', async () => {
    const [before, now, forger] = [1, 2, 3].map(() => generateKeyPairSync('ed25519').privateKey);
    const witness = await WitnessLog.open(folder, 'w', [verifierOf(ORIGIN, before!), verifierOf(ORIGIN, now!)]);
    const root = Buffer.alloc(32);
    const add = (origin: string, key: typeof now) =>
      witness.add(`old 0\n\n${signCheckpoint({ origin, size: 0n, root }, key!)}`);
    for (const key of [before, now]) expect(await add(ORIGIN, key)).toMatchObject({ status: 200 });
    expect(await add(ORIGIN, forger)).toMatchObject({ status: 403 });
    expect(await add('log.example/2', now)).toMatchObject({ status: 404 });
  });
});

describe('a witness', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const both = hash('sha256', Buffer.concat([Buffer.of(1), first, second]), 'buffer');
  const noteOf = (size: bigint, root: Buffer) => signCheckpoint({ origin: ORIGIN, size, root }, privateKey);
  const asked = (old: unknown, note: string, ...proof: readonly Buffer[]) =>
    [`old ${old}`, ...proof.map((one) => one.toString('base64')), '', note].join('\n');
  const [one, two] = [noteOf(1n, first), noteOf(2n, both)];
  const open = () => WitnessLog.open(folder, 'w', [verifierOf(ORIGIN, privateKey)]);

  it('cosigns what continues the newest that it saw, after a restart too', async () => {
    const witness = await open();
    expect(await witness.add(asked(0, one))).toMatchObject({ status: 200 });
    const { status, text } = await witness.add(asked(1, two, second));
    expect(status).toBe(200);
    expect(cosignedAt(two + text, parseWitnessKey(witness.publicText))).toBeInstanceOf(Date);
    const again = await open();
    expect(again.publicText).toBe(witness.publicText);
    expect(await again.add(asked(1, two, second))).toEqual({ status: 409, text: '2\n' });
    expect(await again.add(asked(2, two))).toMatchObject({ status: 200 });
  });

  it.each([
    ['that is no continuation', asked(1, noteOf(2n, first), second), 422],
    ['without its proof', asked(1, two), 422],
    ['with the proof of another tree', asked(1, two, first), 422],
    ['of the same size and another root', asked(1, noteOf(1n, second)), 422],
    ['from another size than it saw', asked(0, two, second), 409],
    ['that is smaller', asked(1, noteOf(0n, hash('sha256', '', 'buffer'))), 400],
    ['without an old size', asked('one', two, second), 400],
    ['of what is no note', asked(1, 'no note', second), 400],
    ['with a proof that is none', asked(1, two, Buffer.alloc(31)), 400],
  ])('cosigns none %s, and forgets nothing by it', async (_what, body, status) => {
    const witness = await open();
    await witness.add(asked(0, one));
    expect(await witness.add(body)).toMatchObject({ status });
    expect(await witness.add(asked(1, two, second))).toMatchObject({ status: 200 });
  });

  it('takes a log from its beginning only', async () => {
    expect(await (await open()).add(asked(1, two, second))).toEqual({ status: 409, text: '0\n' });
  });
});

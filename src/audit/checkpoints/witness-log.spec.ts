import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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

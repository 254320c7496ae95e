import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Config } from '../../platform/config/index.js';
import { CheckpointKey } from './checkpoint-key.js';

const PARTITION = 1;

function keyWith(retiredKeys: readonly string[], witnessKey?: string): CheckpointKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return new CheckpointKey({
    secrets: { checkpointSigningKey: privateKey },
    institution: { ispb: '12345678' },
    checkpoints: { retiredKeys, witnessKey },
  } as unknown as Config);
}

describe('the key that signs checkpoints', () => {
  const before = keyWith([]);
  const old = before.publicTextOf(PARTITION);
  const now = keyWith([before.publicTextOf(0), old]);

  it('is told for its own notes, and the retired one for those that it has signed', () => {
    const [root, other] = [Buffer.alloc(32), keyWith([])];
    expect(now.publicTextFor(PARTITION, before.sign(PARTITION, 3n, root))).toBe(old);
    for (const signer of [now, other]) {
      expect(now.publicTextFor(PARTITION, signer.sign(PARTITION, 3n, root))).toBe(now.publicTextOf(PARTITION));
    }
    expect(now.publicTextFor(PARTITION, 'no note')).toBe(now.publicTextOf(PARTITION));
  });

  it('has the retired keys of its partition beside it', () => {
    expect(now.verifiersOf(PARTITION).map(({ keyId }) => keyId.toString('hex'))).toEqual([
      now.publicTextOf(PARTITION).split('+')[1],
      old.split('+')[1],
    ]);
  });

  it('refuses a retired key that is none, by the name of the setting', () => {
    expect(() => keyWith([old.replace('+', '-')])).toThrow('CHECKPOINT_RETIRED_KEYS: this is no Ed25519 verifier key');
  });

  it('refuses a key of a witness whose id is another key’s, by the name of the setting', () => {
    const another = `witness.example+00000000+B${'A'.repeat(43)}`;
    expect(() => keyWith([], another)).toThrow('CHECKPOINT_WITNESS_KEY: the id of the key does not fit the key');
  });
});

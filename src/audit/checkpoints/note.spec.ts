import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { cosign, cosignedAt, witnessKeyOf } from './cosignature.js';
import {
  encodeVerifier,
  isSignedBy,
  MalformedNote,
  parseCheckpoint,
  parseVerifier,
  signCheckpoint,
  verifierOf,
} from './note.js';

const ORIGIN = 'partner-payments-service/12345678/partition-1';
const key = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});
const checkpoint = { origin: ORIGIN, size: 8n, root: Buffer.alloc(32, 1) };

describe('a signed checkpoint', () => {
  it('is origin, size and root, an empty line, and a signature line', () => {
    const lines = signCheckpoint(checkpoint, key).split('\n');
    expect(lines.slice(0, 4)).toEqual([ORIGIN, '8', Buffer.alloc(32, 1).toString('base64'), '']);
    expect(lines[4]).toMatch(/^— partner-payments-service\/12345678\/partition-1 [A-Za-z0-9+/]+=*$/);
    expect(lines.slice(5)).toEqual(['']);
  });

  it('is read back, and verified with the text form of the key', () => {
    const note = signCheckpoint(checkpoint, key);
    expect(parseCheckpoint(note)).toEqual(checkpoint);
    expect(isSignedBy(note, parseVerifier(encodeVerifier(verifierOf(ORIGIN, key))))).toBe(true);
  });

  it('is refused after any change, and by any other key or name', () => {
    const note = signCheckpoint(checkpoint, key);
    const verifier = verifierOf(ORIGIN, key);
    expect(isSignedBy(note.replace('\n8\n', '\n9\n'), verifier)).toBe(false);
    expect(isSignedBy(note, verifierOf(`${ORIGIN}0`, key))).toBe(false);
    expect(isSignedBy(note, verifierOf(ORIGIN, generateKeyPairSync('ed25519').publicKey))).toBe(false);
  });

  it('is refused beside an invalid signature in its name, and so is a cosignature', () => {
    const note = signCheckpoint(checkpoint, key);
    const elsewhere = signCheckpoint({ ...checkpoint, size: 9n }, key).split('\n\n')[1]!;
    const [head, own] = note.split('\n\n') as [string, string];
    for (const both of [own + elsewhere, elsewhere + own])
      expect(isSignedBy(`${head}\n\n${both}`, verifierOf(ORIGIN, key))).toBe(false);

    const [at, witness] = [new Date('2026-11-20T12:00:00Z'), witnessKeyOf('w', key)];
    const good = cosign(note, 'w', key, at);
    const bad = cosign(note.replace('\n8\n', '\n9\n'), 'w', key, at);
    expect(cosignedAt(note + good, witness)).toEqual(at);
    for (const cosigned of [note, note + bad, note + good + bad, note + bad + good])
      expect(cosignedAt(cosigned, witness)).toBeNull();
  });

  it('stays valid beside the signatures of witnesses', () => {
    const witnessed = `${signCheckpoint(checkpoint, key)}— witness.example AAAAAAAAAAAA\n`;
    expect(isSignedBy(witnessed, verifierOf(ORIGIN, key))).toBe(true);
    expect(parseCheckpoint(witnessed)).toEqual(checkpoint);
  });

  it.each(['', 'a\n1\nAAAA\n\n— a AAAA\n', 'no signature\n', `a\n01\n${'A'.repeat(43)}=\n\n— a AAAA\n`])(
    'is not read from %j',
    (text) => {
      expect(() => parseCheckpoint(text)).toThrow(MalformedNote);
    },
  );

  it('has a verifier key whose id must match', () => {
    const text = encodeVerifier(verifierOf(ORIGIN, key));
    expect(() => parseVerifier(text.replace(/\+[0-9a-f]{8}\+/, '+00000000+'))).toThrow(MalformedNote);
  });
});

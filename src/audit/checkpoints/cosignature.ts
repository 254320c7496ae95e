import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { MalformedNote, signaturesOf, textOf } from './note.js';

/**
 * Cosignatures of witnesses (c2sp.org/tlog-cosignature, Ed25519): a witness states that it has seen a tree, when, and
 * none that contradicts it.
 */

const COSIGNATURE = 0x04;

/** The key of a witness: `<name>+<key id>+<base64 of 0x04 and the public key>`. */
export interface WitnessKey {
  readonly name: string;
  readonly keyId: Buffer;
  readonly publicKey: KeyObject;
}

function rawOf(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url');
}

function keyIdOf(name: string, raw: Buffer): Buffer {
  const input = Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([COSIGNATURE]), raw]);
  return hash('sha256', input, 'buffer').subarray(0, 4);
}

export function witnessKeyOf(name: string, privateKey: KeyObject): WitnessKey {
  const publicKey = createPublicKey(privateKey);
  return { name, keyId: keyIdOf(name, rawOf(publicKey)), publicKey };
}

export function encodeWitnessKey({ name, keyId, publicKey }: WitnessKey): string {
  const typed = Buffer.concat([Buffer.from([COSIGNATURE]), rawOf(publicKey)]);
  return `${name}+${keyId.toString('hex')}+${typed.toString('base64')}`;
}

/** @throws MalformedNote */
export function parseWitnessKey(text: string): WitnessKey {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim()) ?? [];
  const typed = Buffer.from(encoded ?? '', 'base64');
  if (!name || typed.length !== 33 || typed[0] !== COSIGNATURE) {
    throw new MalformedNote('must be the key of a witness, <name>+<key id>+<base64>, of type 4');
  }
  const raw = typed.subarray(1);
  const keyId = keyIdOf(name, raw);
  if (keyId.toString('hex') !== id) throw new MalformedNote('the id of the key does not fit the key');
  const x = raw.toString('base64url');
  return { name, keyId, publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }) };
}

const signedText = (note: string, seconds: bigint) => Buffer.from(`cosignature/v1\ntime ${seconds}\n${textOf(note)}`);

/** The cosignature line to be appended to the note, with its line feed. */
export function cosign(note: string, name: string, privateKey: KeyObject, at: Date): string {
  const seconds = BigInt(Math.floor(at.getTime() / 1000));
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(seconds);
  const { keyId } = witnessKeyOf(name, privateKey);
  const signature = sign(null, signedText(note, seconds), privateKey);
  return `— ${name} ${Buffer.concat([keyId, time, signature]).toString('base64')}\n`;
}

/** When the witness saw the note's tree; `null` without a cosignature, or with an invalid one (see `isSignedBy`). */
export function cosignedAt(note: string, { name, keyId, publicKey }: WitnessKey): Date | null {
  const own = signaturesOf(note, name, keyId);
  const times = own.map((bytes) => (bytes.length === 72 ? bytes.readBigUInt64BE(0) : 0n));
  const isGood = own.every((bytes, i) => verify(null, signedText(note, times[i]!), publicKey, bytes.subarray(8)));
  return own.length > 0 && isGood ? new Date(Number(times[0]! * 1000n)) : null;
}

/** Whether the note has a cosignature in the witness's name, valid or not. */
export function namesWitness(note: string, { name, keyId }: WitnessKey): boolean {
  return signaturesOf(note, name, keyId).length > 0;
}

import { type KeyObject, sign, verify } from 'node:crypto';
import { encodeKey, type NamedKey, namedKey, parseKey, signaturesOf, textOf } from './note.js';

/**
 * Cosignatures of witnesses (c2sp.org/tlog-cosignature, Ed25519): a witness states that it has seen a tree, when, and
 * none that contradicts it.
 */

const COSIGNATURE = 0x04;

/** The key of a witness, of type 4. */
export type WitnessKey = NamedKey;

export function witnessKeyOf(name: string, privateKey: KeyObject): WitnessKey {
  return namedKey(COSIGNATURE, name, privateKey);
}

export function encodeWitnessKey(key: WitnessKey): string {
  return encodeKey(COSIGNATURE, key);
}

/** @throws MalformedNote */
export function parseWitnessKey(text: string): WitnessKey {
  return parseKey(COSIGNATURE, text, 'must be the key of a witness, <name>+<key id>+<base64>, of type 4');
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

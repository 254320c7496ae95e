import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

/**
 * Signed notes and checkpoints as C2SP describes them (c2sp.org/signed-note, c2sp.org/tlog-checkpoint), with
 * Ed25519 signatures. Byte-exact description with an example: docs/audit-format.md.
 */

const ED25519 = 0x01;
const SEPARATOR = '\n\n';

/** The content of a checkpoint. */
export interface Checkpoint {
  /** Name of the log, and of its key. */
  readonly origin: string;
  readonly size: bigint;
  readonly root: Buffer;
}

/** A key with a name: `<name>+<key id>+<base64 of its type and the public key>`. The type says what it signs. */
export interface NamedKey {
  readonly name: string;
  readonly keyId: Buffer;
  readonly publicKey: KeyObject;
}

/** The key that verifies a log's notes, of type 1. */
export type NoteVerifier = NamedKey;

/** The text is no signed note, or no checkpoint. */
export class MalformedNote extends Error {
  override readonly name = 'MalformedNote';
}

function rawOf(publicKey: KeyObject): Buffer {
  return Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
}

export function namedKey(type: number, name: string, key: KeyObject): NamedKey {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const input = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), rawOf(publicKey)]);
  return { name, keyId: hash('sha256', input, 'buffer').subarray(0, 4), publicKey };
}

export function encodeKey(type: number, { name, keyId, publicKey }: NamedKey): string {
  const typed = Buffer.concat([Buffer.of(type), rawOf(publicKey)]);
  return `${name}+${keyId.toString('hex')}+${typed.toString('base64')}`;
}

/** @param fault told of what is no key of the type. @throws MalformedNote */
export function parseKey(type: number, text: string, fault: string): NamedKey {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim()) ?? [];
  const typed = Buffer.from(encoded ?? '', 'base64');
  if (!name || typed.length !== 33 || typed[0] !== type) throw new MalformedNote(fault);
  const x = typed.subarray(1).toString('base64url');
  const key = namedKey(type, name, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }));
  if (key.keyId.toString('hex') !== id) throw new MalformedNote('the id of the key does not fit the key');
  return key;
}

export function verifierOf(name: string, key: KeyObject): NoteVerifier {
  return namedKey(ED25519, name, key);
}

/** The text form of a verifier key ("vkey"), for the settings of witnesses and verifiers. */
export function encodeVerifier(verifier: NoteVerifier): string {
  return encodeKey(ED25519, verifier);
}

/** @throws MalformedNote */
export function parseVerifier(text: string): NoteVerifier {
  return parseKey(ED25519, text, 'this is no Ed25519 verifier key');
}

/** The signed note of a checkpoint: its three lines, an empty one, and the signature. */
export function signCheckpoint({ origin, size, root }: Checkpoint, privateKey: KeyObject): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`;
  const { keyId } = verifierOf(origin, privateKey);
  const signature = Buffer.concat([keyId, sign(null, Buffer.from(text), privateKey)]).toString('base64');
  return `${text}\n— ${origin} ${signature}\n`;
}

/** The checkpoint in a note, without a check of its signatures. @throws MalformedNote */
export function parseCheckpoint(note: string): Checkpoint {
  const [origin, size, root] = textOf(note).split('\n');
  const bytes = Buffer.from(root ?? '', 'base64');
  if (!origin || !/^(0|[1-9]\d{0,18})$/.test(size ?? '') || bytes.length !== 32) {
    throw new MalformedNote('the note is not a checkpoint');
  }
  return { origin, size: BigInt(size!), root: bytes };
}

/** As `parseCheckpoint`, of a note that anybody may have written: `undefined` where it is none. */
export function checkpointIn(note: string): Checkpoint | undefined {
  try {
    return parseCheckpoint(note);
  } catch (error) {
    if (error instanceof MalformedNote) return undefined;
    throw error;
  }
}

/**
 * Whether the note has a signature by this key, and no invalid one in its name: a valid one beside that does not tell
 * who added the other. Signatures of others, such as witnesses, are ignored.
 */
export function isSignedBy(note: string, { name, keyId, publicKey }: NoteVerifier): boolean {
  const text = textOf(note);
  const own = signaturesOf(note, name, keyId);
  return own.length > 0 && own.every((signature) => verify(null, Buffer.from(text), publicKey, signature));
}

/** The signatures under a note by a name and key id, without that id. */
export function signaturesOf(note: string, name: string, keyId: Buffer): Buffer[] {
  return note
    .slice(textOf(note).length + 1)
    .split('\n')
    .flatMap((line) => {
      const [, signer, encoded] = /^— (\S+) (\S+)$/.exec(line) ?? [];
      const signature = Buffer.from(encoded ?? '', 'base64');
      return signer === name && signature.subarray(0, 4).equals(keyId) ? [signature.subarray(4)] : [];
    });
}

/** The part of a note that is signed. @throws MalformedNote */
export function textOf(note: string): string {
  const end = note.lastIndexOf(SEPARATOR);
  if (end < 0) throw new MalformedNote('the note has no signature');
  return note.slice(0, end + 1);
}

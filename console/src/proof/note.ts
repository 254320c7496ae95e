import { fromBase64, toHex } from '../format/bytes.js';
import { sameBytes } from './inclusion.js';
import { sha256 } from './leaf.js';

/** A checkpoint: the root of a tree of `size` leaves. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: bigint;
  readonly root: Uint8Array<ArrayBuffer>;
}

/** A note's three lines, or `null` for a note that is no checkpoint (docs/audit-format.md, "Checkpoint"). */
export function parseCheckpoint(note: string): Checkpoint | null {
  const [origin, size, root, empty] = note.split('\n');
  if (!origin || !/^(0|[1-9]\d*)$/.test(size ?? '') || !/^[0-9A-Za-z+/]{43}=$/.test(root ?? '') || empty !== '') {
    return null;
  }
  return { origin, size: BigInt(size!), root: fromBase64(root!) };
}

/**
 * Whether the note has a valid Ed25519 signature of the key (`<name>+<key id>+<base64>`, c2sp.org/signed-note), no
 * invalid one, and the key's name as its origin.
 */
export async function isSignedBy(note: string, vkey: string): Promise<boolean> {
  const [name, id, encoded] = splitKey(vkey);
  const end = note.indexOf('\n\n');
  if (
    !name ||
    !id ||
    !encoded ||
    !/^[0-9A-Za-z+/]{44}$/.test(encoded) ||
    end < 0 ||
    parseCheckpoint(note)?.origin !== name
  )
    return false;
  const key = fromBase64(encoded);
  if (key[0] !== 1) return false;
  const keyId = await keyIdOf(name, key);
  if (toHex(keyId) !== id) return false;
  const signed = new TextEncoder().encode(note.slice(0, end + 1));
  const publicKey = await crypto.subtle.importKey('raw', key.slice(1), 'Ed25519', false, ['verify']);
  let isSigned = false;
  for (const line of note.slice(end + 2).split('\n')) {
    const [dash, signer, signature] = line.split(' ');
    if (dash !== '\u2014' || signer !== name || !signature) continue;
    const bytes = fromBase64(signature);
    if (!sameBytes(bytes.slice(0, 4), keyId)) continue;
    const isGood = bytes.length === 68 && (await crypto.subtle.verify('Ed25519', publicKey, bytes.slice(4), signed));
    if (!isGood) return false;
    isSigned = true;
  }
  return isSigned;
}

/** Only the first two `+` separate: base64 may contain more. */
function splitKey(vkey: string): (string | undefined)[] {
  const first = vkey.indexOf('+');
  const second = vkey.indexOf('+', first + 1);
  return first < 0 || second < 0 ? [] : [vkey.slice(0, first), vkey.slice(first + 1, second), vkey.slice(second + 1)];
}

async function keyIdOf(name: string, key: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const prefix = new TextEncoder().encode(`${name}\n`);
  return (await sha256(Uint8Array.from([...prefix, ...key]))).slice(0, 4);
}

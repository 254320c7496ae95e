import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Sealed, SubjectRef } from '../log/personal.js';
import { randomPart } from '../log/random-pool.js';

/** A subject's key as it is stored: found by `lookup`, readable only with the master key. */
export interface SubjectKey {
  readonly id: string;
  readonly lookup: Buffer;
  readonly wrapped: Buffer;
}

const NONCE = 12;
const TAG = 16;

// Keys are `KeyObject`s: Node takes five times as long to encrypt with a key that it is given as bytes.

function encrypt(key: KeyObject, plain: Buffer, bound: string): Buffer {
  const nonce = randomPart(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: KeyObject, box: Buffer, bound: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE)).setAAD(Buffer.from(bound));
  decipher.setAuthTag(box.subarray(box.length - TAG));
  return Buffer.concat([decipher.update(box.subarray(NONCE, box.length - TAG)), decipher.final()]);
}

/** Wraps subject keys with the master key, and seals and opens values with subject keys. Pure: it stores nothing. */
export class PersonalDataCodec {
  readonly #wrapping: KeyObject;
  #lookup: KeyObject;

  /** @param masterKey 32 bytes, `MASTER_KEY` */
  constructor(masterKey: Buffer) {
    const derived = (purpose: string) => createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32)));
    this.#wrapping = derived('subject-key-wrapping');
    this.#lookup = derived('subject-lookup');
  }

  /** The look-up of a subject in the key table: HMAC-SHA-256 of its clear name. */
  lookupOf(subject: SubjectRef): Buffer {
    // Through text: a digest in a buffer of its own costs half as much again.
    return Buffer.from(createHmac('sha256', this.#lookup).update(subject.clear).digest('binary'), 'binary');
  }

  newSubjectKey(id: string, lookup: Buffer): SubjectKey {
    return { id, lookup, wrapped: encrypt(this.#wrapping, randomBytes(32), id) };
  }

  /** A subject's own key, wrapped with this codec's master key. */
  wrap(id: string, key: KeyObject): Buffer {
    return encrypt(this.#wrapping, key.export(), id);
  }

  /** The key of look-ups, to be kept when the master key changes. */
  wrapLookupKey(by: PersonalDataCodec): Buffer {
    return encrypt(by.#wrapping, this.#lookup.export(), 'subject-lookup-key');
  }

  /** Takes over the key of look-ups of an earlier master key. @throws when it was wrapped with another master key */
  useLookupKey(wrapped: Buffer): void {
    this.#lookup = createSecretKey(decrypt(this.#wrapping, wrapped, 'subject-lookup-key'));
  }

  /** The subject's own key, 32 bytes. @throws when the key was wrapped with another master key */
  unwrap(subject: SubjectKey): KeyObject {
    return createSecretKey(decrypt(this.#wrapping, subject.wrapped, subject.id));
  }

  seal<T>(subjectId: string, key: KeyObject, value: T): Sealed<T> {
    const box = encrypt(key, Buffer.from(JSON.stringify(value)), subjectId);
    return { subject: subjectId, sealed: box.toString('base64') };
  }

  open<T>(sealed: Sealed<T>, key: KeyObject): T {
    return JSON.parse(decrypt(key, Buffer.from(sealed.sealed, 'base64'), sealed.subject).toString()) as T;
  }

  /** Encrypts work data under a key of its own. @param place where it belongs: it opens nowhere else */
  sealAt(place: string, key: Buffer, value: string): Buffer {
    return encrypt(createSecretKey(key), Buffer.from(value), place);
  }

  /** @throws when it was changed, or belongs elsewhere */
  openAt(place: string, key: Buffer, box: Buffer): string {
    return decrypt(createSecretKey(key), box, place).toString();
  }

  /** Encrypts a secret that must be read back (webhook secrets, custom header values) under the master key. */
  sealSecret(id: string, value: string): Buffer {
    return encrypt(this.#wrapping, Buffer.from(value), `secret|${id}`);
  }

  openSecret(id: string, box: Buffer): string {
    return decrypt(this.#wrapping, box, `secret|${id}`).toString();
  }
}

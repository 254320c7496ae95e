import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { PersonalDataCodec } from '../event-store/index.js';

const HASH_BYTES = 32;

/** What a credential is for: the same secret is stored differently for each. */
export type CredentialPurpose = 'access-key' | 'auditor';

/**
 * How the secret of a credential is stored: HMAC-SHA-256 under `KEY_PEPPER` over its purpose, its owner's id and
 * itself, encrypted under `MASTER_KEY` for that id. A row copied over another's authenticates nobody, and is detected.
 */
export class StoredCredentials {
  readonly #nobody: Buffer;
  readonly #pepper: KeyObject;

  constructor(
    pepper: Buffer,
    private readonly codec: PersonalDataCodec,
  ) {
    this.#pepper = createSecretKey(pepper);
    this.#nobody = this.bound('access-key', '', '');
  }

  bound(purpose: CredentialPurpose, id: string, secret: string): Buffer {
    return this.codec.sealSecret(id, this.#hmac(`${purpose}|${id}|${secret}`).toString('base64'));
  }

  /** Whether a stored row was made for this owner. */
  isOf(stored: Buffer, id: string): boolean {
    return this.#opened(stored, id) !== undefined;
  }

  /** How a stored row matches the given secret; takes as long without a row. */
  formOf(
    stored: Buffer | undefined,
    purpose: CredentialPurpose,
    id: string,
    secret: string,
  ): 'bound' | 'unbound' | undefined {
    const row = stored ?? this.#nobody;
    // The older form: not bound to its owner.
    const before = this.#hmac(purpose === 'access-key' ? secret : `${purpose}|${secret}`);
    if (row.length === HASH_BYTES) return timingSafeEqual(row, before) ? 'unbound' : undefined;
    const kept = this.#opened(row, stored ? id : '');
    const fits = timingSafeEqual(kept ?? before, this.#hmac(`${purpose}|${id}|${secret}`));
    return fits && stored ? 'bound' : undefined;
  }

  #opened(stored: Buffer, id: string): Buffer | undefined {
    try {
      const kept = Buffer.from(this.codec.openSecret(id, stored), 'base64');
      return kept.length === HASH_BYTES ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  #hmac(text: string): Buffer {
    return createHmac('sha256', this.#pepper).update(text).digest();
  }
}

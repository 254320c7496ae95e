import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PersonalDataCodec } from '../event-store/index.js';

const HASH_BYTES = 32;

/** What a credential opens: the same secret is stored differently for each. */
export type CredentialPurpose = 'access-key' | 'auditor';

/**
 * How a secret that somebody shows us is stored: HMAC-SHA-256 under `KEY_PEPPER` over its purpose, its owner's id and
 * itself, encrypted under `MASTER_KEY` for that id. A row copied over another's opens nothing, and shows.
 */
export class StoredCredentials {
  readonly #nobody: Buffer;

  constructor(
    private readonly pepper: Buffer,
    private readonly codec: PersonalDataCodec,
  ) {
    this.#nobody = this.bound('access-key', '', '');
  }

  bound(purpose: CredentialPurpose, id: string, secret: string): Buffer {
    return this.codec.sealSecret(id, this.#hmac(`${purpose}|${id}|${secret}`).toString('base64'));
  }

  /** Whether a row is one that was made for this owner. */
  isOf(stored: Buffer, id: string): boolean {
    return this.#opened(stored, id) !== undefined;
  }

  /** How a stored row fits the secret that is shown; for nobody's it takes as long. */
  formOf(
    stored: Buffer | undefined,
    purpose: CredentialPurpose,
    id: string,
    secret: string,
  ): 'bound' | 'unbound' | undefined {
    const row = stored ?? this.#nobody;
    // As it was stored before hashes were bound to their owner.
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
    return createHmac('sha256', this.pepper).update(text).digest();
  }
}

import { createHmac, hash, timingSafeEqual } from 'node:crypto';

const HASH_BYTES = 32;

/** What a credential opens: the same secret is stored differently for each. */
export type CredentialPurpose = 'access-key' | 'auditor';

/**
 * How a secret that somebody shows us is stored: HMAC-SHA-256 under `KEY_PEPPER` over its purpose, its owner's id and
 * itself, so that a row copied over another's opens nothing. The event that made the row carries the row's digest.
 */
export class CredentialHasher {
  constructor(private readonly pepper: Buffer) {}

  bound(purpose: CredentialPurpose, id: string, secret: string): Buffer {
    return this.#hmac(`${purpose}|${id}|${secret}`);
  }

  /** As it was stored before secrets were bound to their owner. */
  unbound(purpose: CredentialPurpose, secret: string): Buffer {
    return this.#hmac(purpose === 'access-key' ? secret : `${purpose}|${secret}`);
  }

  /** How a stored row fits the secret that is shown; both forms are always compared, each in constant time. */
  formOf(stored: Buffer, purpose: CredentialPurpose, id: string, secret: string): 'bound' | 'unbound' | undefined {
    if (stored.length !== HASH_BYTES) return undefined;
    const isBound = timingSafeEqual(stored, this.bound(purpose, id, secret));
    const isUnbound = timingSafeEqual(stored, this.unbound(purpose, secret));
    if (isBound) return 'bound';
    return isUnbound ? 'unbound' : undefined;
  }

  #hmac(text: string): Buffer {
    return createHmac('sha256', this.pepper).update(text).digest();
  }
}

/** SHA-256 of a stored row, base64url: what events carry of it, and `verify` compares. */
export function credentialDigest(stored: Buffer): string {
  return hash('sha256', stored, 'base64url');
}

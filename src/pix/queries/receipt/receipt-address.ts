import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../../platform/config/index.js';

/** 128 bits, as base64url. */
const SECRET_CHARACTERS = 22;

/**
 * Addresses of receipts of completed transactions, for `transactionReceipt` (contract 2.7). Whoever has one may read
 * the receipt (it goes to payers, who have no token), so its last part is a secret. It is derived, never stored: from
 * the random `receiptToken` of the transaction, which auditors and readers of the database see, and a key which they do
 * not have.
 */
export class ReceiptAddresses {
  readonly #key: KeyObject;
  readonly #publicUrl: string;

  constructor({
    publicUrl,
    secrets,
  }: Pick<Config, 'publicUrl'> & { readonly secrets: Pick<Config['secrets'], 'keyPepper'> }) {
    this.#publicUrl = publicUrl;
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', secrets.keyPepper, '', 'addresses of receipts', 32)));
  }

  /** @param token `receiptToken` of the transaction's details */
  of(transactionId: string, token: string): string {
    return `${this.#publicUrl}/pix/receipts/${transactionId}/${this.#secret(transactionId, token)}`;
  }

  /** Whether the last part of an address is that of the transaction's. In constant time, for any length. */
  isSecret(given: string, transactionId: string, token: string): boolean {
    return timingSafeEqual(digest(given), digest(this.#secret(transactionId, token)));
  }

  #secret(transactionId: string, token: string): string {
    const made = createHmac('sha256', this.#key).update(`${transactionId}|${token}`).digest('base64url');
    return made.slice(0, SECRET_CHARACTERS);
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

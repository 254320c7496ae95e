import { createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, CompactSign, exportJWK } from 'jose';
import { ConfigurationError } from '../../../platform/config/index.js';
import type { KeySet, PublicKeyView } from './jwks.answer.js';

/** Algorithms that the BCB's "Manual de Segurança do Pix", 4.2, takes for charges, and that we sign with. */
export type PayloadAlgorithm = 'ES256' | 'PS256';

const MINIMUM_RSA_BITS = 2048;

/** Signs charge payloads, and publishes the key that verifies them. */
export class PayloadSigner {
  readonly #header: {
    readonly alg: PayloadAlgorithm;
    readonly kid: string;
    readonly jku: string;
    readonly typ: 'JOSE';
  };

  private constructor(
    private readonly key: KeyObject,
    private readonly publicJwk: PublicKeyView,
    alg: PayloadAlgorithm,
    kid: string,
    jku: string,
  ) {
    this.#header = { alg, kid, jku, typ: 'JOSE' };
  }

  /**
   * @param key PAYLOAD_SIGNING_KEY: elliptic on P-256, or RSA of at least 2048 bits
   * @param jku address at which `jwks()` is served; payers' banks fetch the public key there
   * @throws ConfigurationError for a key of another kind
   */
  static async of(key: KeyObject, jku: string): Promise<PayloadSigner> {
    const alg = algorithmOf(key);
    const jwk = (await exportJWK(createPublicKey(key))) as Pick<PublicKeyView, 'kty'>;
    // RFC 7638: the identifier follows from the key, so a changed key cannot keep an old identifier.
    const kid = await calculateJwkThumbprint(jwk, 'sha256');
    return new PayloadSigner(key, { ...jwk, kid, alg, use: 'sig' }, alg, kid, jku);
  }

  /** The payload as JWS in compact serialization (RFC 7515, 7.1). */
  sign(payload: object): Promise<string> {
    const bytes = new TextEncoder().encode(JSON.stringify(payload));
    return new CompactSign(bytes).setProtectedHeader(this.#header).sign(this.key);
  }

  /** The JSON Web Key Set (RFC 7517) of the address in `jku`: public members only. */
  jwks(): KeySet {
    return { keys: [this.publicJwk] };
  }
}

/** The key alone decides the algorithm. */
function algorithmOf(key: KeyObject): PayloadAlgorithm {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return 'ES256';
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= MINIMUM_RSA_BITS) return 'PS256';
  throw new ConfigurationError([
    `PAYLOAD_SIGNING_KEY: must be an elliptic key on P-256, or an RSA key of at least ${MINIMUM_RSA_BITS} bits`,
  ]);
}

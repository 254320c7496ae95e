/** A public key (RFC 7517): elliptic with `crv`, `x` and `y`, RSA with `n` and `e`. */
export class PublicKeyView {
  readonly kty: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly n?: string;
  readonly e?: string;
}

export class KeySet {
  readonly keys: PublicKeyView[];
}

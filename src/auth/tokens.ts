import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { LRUCache } from 'lru-cache';
import { AuthenticationError } from '../platform/errors/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';

/** Contract 8: a token is valid for one hour. */
export const TOKEN_SECONDS = 3600;
const ISSUER = 'partner-payments-service';
const AUDIENCE = 'partners-int';
const CACHE_ENTRIES = 10_000;

interface Claims {
  readonly sub: string;
  readonly exp: number;
}

/** Issues and verifies bearer tokens: JWT, HS256 and nothing else. The token names its access key and nothing else. */
@Injectable()
export class Tokens {
  readonly #verified = new LRUCache<string, Claims>({ max: CACHE_ENTRIES });

  constructor(
    private readonly jwt: JwtService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  issue(accessKey: string, at: Date): { token: string; expiresAt: Date } {
    const issued = Math.floor(at.getTime() / 1000);
    const claims = { sub: accessKey, iat: issued, exp: issued + TOKEN_SECONDS, iss: ISSUER, aud: AUDIENCE };
    const token = this.jwt.sign(claims, { secret: this.config.secrets.jwtSecret, algorithm: 'HS256' });
    return { token, expiresAt: new Date(claims.exp * 1000) };
  }

  /** @returns the access key that the token was issued to. @throws AuthenticationError */
  verify(token: string): string {
    const known = this.#verified.get(token);
    if (known) {
      if (known.exp * 1000 > Date.now()) return known.sub;
      this.#verified.delete(token);
    }
    let claims: Claims;
    try {
      claims = this.jwt.verify<Claims>(token, {
        secret: this.config.secrets.jwtSecret,
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
      });
    } catch {
      throw malformed();
    }
    // jsonwebtoken accepts a token without `exp`, as one that never expires.
    if (typeof claims.exp !== 'number' || typeof claims.sub !== 'string') throw malformed();
    this.#verified.set(token, claims);
    return claims.sub;
  }
}

function malformed(): AuthenticationError {
  return new AuthenticationError('The token is malformed, expired or not ours. Log in again.');
}

import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../platform/config/index.js';

interface KnownToken {
  readonly name: string;
  readonly digest: Buffer;
  /** Keyed hash under `KEY_PEPPER`: a session stores that of the token that it was exchanged for. */
  readonly fingerprint: Buffer;
}

/** An operator, with the fingerprint of the token that was used. */
export interface KnownOperator {
  readonly name: string;
  readonly fingerprint: Buffer;
}

/** The operators of `ADMIN_TOKEN`. A token's name is the actor in the history. */
@Injectable()
export class Operators {
  readonly #tokens: readonly KnownToken[];
  /** A configured token has the form of another entry point's credential. */
  readonly #hasForeignForm: boolean;

  constructor(@Inject(CONFIG) { secrets }: Config) {
    this.#hasForeignForm = secrets.adminTokens.some(({ token }) => isForeign(token));
    this.#tokens = secrets.adminTokens.map(({ name, token }) => ({
      name,
      digest: digestOf(token),
      fingerprint: createHmac('sha256', secrets.keyPepper).update(`operator|${token}`).digest(),
    }));
  }

  /** Whether it may be a guess at one of the tokens: a credential for another entry point is none. */
  isGuess(token: string): boolean {
    return this.#hasForeignForm || !isForeign(token);
  }

  /** Whose token this is. */
  byToken(token: string): KnownOperator | undefined {
    const given = digestOf(token);
    // Every token is compared, each in constant time: the time of a refusal reveals nothing.
    return this.#tokens.filter(({ digest }) => timingSafeEqual(digest, given))[0];
  }

  /** Whether this token is still configured under this name: a changed one ends the sessions of the old one. */
  isCurrent(name: string, fingerprint: Buffer): boolean {
    return this.#tokens.some((known) => known.name === name && known.fingerprint.equals(fingerprint));
  }
}

/** A partner's token (a JWT), or an auditor's credential. */
function isForeign(token: string): boolean {
  return /^(aud_[0-9a-f-]{36}_|[\w-]+\.[\w-]+\.[\w-]*$)/.test(token);
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

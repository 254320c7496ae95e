import { hash } from 'node:crypto';
import { AuthenticationError, TooManyRequests } from '../../platform/errors/index.js';
import { networkOf } from '../../platform/http/index.js';
import { LockOut } from './lock-out.js';
import { RightCredentials } from './right-credentials.js';

/** Somebody at a door. */
export interface Attempt {
  readonly address: string;
  readonly credential: string;
  /** What is guessed at, where the door counts that apart; else all failures of an address count together. */
  readonly subject?: string;
  /** The credential that is claimed, where the claim tells. */
  readonly name?: string;
}

/** A place where credentials are shown. What is guessed here slows down who guesses here, and nobody elsewhere. */
export class Door {
  readonly #lockOut = new LockOut();
  readonly #right: RightCredentials | undefined;

  /** @param remembers whether a credential that was right from an address is let through a pause of that address */
  constructor({ remembers }: { readonly remembers: boolean }) {
    this.#right = remembers ? new RightCredentials() : undefined;
  }

  /**
   * @param check what the credential opens, `undefined` for nothing
   * @throws TooManyRequests after too many failures from here. @throws AuthenticationError when it opens nothing
   */
  async admit<T>(attempt: Attempt, check: () => Promise<T | undefined> | T | undefined, refusal: string): Promise<T> {
    const network = networkOf(attempt.address);
    const key = digest(network, attempt.subject);
    const shown = digest(network, attempt.credential);
    const pause = this.#lockOut.pause(key);
    if (pause > 0 && !this.#right?.has(shown)) {
      throw new TooManyRequests('Too many failed attempts. Try again later.', Math.ceil(pause / 1000));
    }
    const opened = await check();
    if (opened === undefined) {
      this.#lockOut.failed(key, attempt.name);
      throw new AuthenticationError(refusal);
    }
    if (attempt.name !== undefined) this.#lockOut.succeeded(key, attempt.name);
    this.#right?.add(shown);
    return opened;
  }
}

/** Tables have keys of one size, whatever is sent, and nothing in them is a credential. */
function digest(...parts: readonly (string | undefined)[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}

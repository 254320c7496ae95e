import { createHmac } from 'node:crypto';
import { AuthenticationError, TooManyRequests } from '../../platform/errors/index.js';
import { networkOf } from '../../platform/http/index.js';
import type { Exchange, SharedCount } from '../exchange/exchange.js';
import { DoorNews } from './door-news.js';
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

export interface DoorOptions {
  readonly name: string;
  /** Whether a credential that was right from an address is let through a pause of that address. */
  readonly remembers: boolean;
  /** Makes keys of what is shown. */
  readonly pepper: Buffer;
}

/**
 * A place where credentials are shown, the same one in all processes. What is guessed here slows down who guesses here,
 * and nobody elsewhere.
 */
export class Door implements SharedCount {
  readonly name: string;
  readonly #pepper: Buffer;
  readonly #lockOut = new LockOut();
  readonly #right: RightCredentials | undefined;
  readonly #news: DoorNews;
  #others = false;

  constructor(
    { name, remembers, pepper }: DoorOptions,
    private readonly exchange: Exchange,
  ) {
    this.name = name;
    this.#pepper = pepper;
    this.#right = remembers ? new RightCredentials() : undefined;
    this.#news = new DoorNews(this.#lockOut, this.#right);
    exchange.share(this);
  }

  /**
   * @param check what the credential opens, `undefined` for nothing
   * @throws TooManyRequests after too many failures from here. @throws AuthenticationError when it opens nothing
   */
  async admit<T>(attempt: Attempt, check: () => Promise<T | undefined> | T | undefined, refusal: string): Promise<T> {
    const network = networkOf(attempt.address);
    const key = this.#digest(network, attempt.subject);
    const shown = this.#digest(network, attempt.credential);
    const name = attempt.name === undefined ? undefined : this.#digest(attempt.name);
    const pause = this.#lockOut.pause(key);
    if (pause > 0 && !this.#right?.has(shown)) {
      throw new TooManyRequests('Too many failed attempts. Try again later.', Math.ceil(pause / 1000));
    }
    const opened = await check();
    if (opened === undefined) {
      this.#lockOut.failed(key, name);
      // Answered when the others know of it: who guesses one by one gets no more guesses at several processes.
      if (this.#note((news) => news.failed(key, name))) await this.exchange.told();
      throw new AuthenticationError(refusal);
    }
    if (name !== undefined && this.#lockOut.succeeded(key, name)) this.#note((news) => news.succeeded(key, name));
    if (this.#right?.add(shown)) this.#note((news) => news.wasRight(shown));
    return opened;
  }

  tell(mostCharacters: number): string | undefined {
    const told = this.#news.tell(mostCharacters);
    if (!this.#news.isEmpty) this.exchange.soon(true);
    return told;
  }

  greet(mostCharacters: number): string | undefined {
    return this.#news.greet(mostCharacters);
  }

  heard(payload: string): void {
    this.#news.heard(payload);
  }

  /** Where nobody is heard, each process counts to ten by itself. */
  between(others: boolean): void {
    if (!others) this.#news.clear();
    this.#others = others;
  }

  #note(what: (news: DoorNews) => void): boolean {
    if (!this.#others) return false;
    what(this.#news);
    this.exchange.soon(true);
    return true;
  }

  /** Tables have keys of one size, whatever is sent, and nothing in them, or told, is a credential or an address. */
  #digest(...parts: readonly (string | undefined)[]): string {
    const text = JSON.stringify(['door', ...parts]);
    return createHmac('sha256', this.#pepper).update(text).digest('base64url').slice(0, 22);
  }
}

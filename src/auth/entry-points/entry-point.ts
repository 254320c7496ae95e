import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { AuthenticationError, TooManyRequests } from '../../platform/errors/index.js';
import { networkOf } from '../../platform/http/index.js';
import type { CountExchange, SharedCount } from '../exchange/count-exchange.js';
import { AttemptOutcomes } from './attempt-outcomes.js';
import { LockOut } from './lock-out.js';
import { ValidCredentials } from './valid-credentials.js';

/** One attempt to authenticate. */
export interface Attempt {
  readonly address: string;
  readonly credential: string;
  /** What the attempt is for, where failures are counted by it too; else all failures of a network count together. */
  readonly subject?: string;
  /** Name of the claimed credential, if the claim has one. */
  readonly name?: string;
}

export interface EntryPointOptions {
  readonly name: string;
  /** Whether a credential that was valid from a network passes a lock-out of that network. */
  readonly remembers: boolean;
  /** Key of the digests of credentials and networks. */
  readonly pepper: Buffer;
}

/**
 * A place where callers authenticate, counted over all processes. Failures here lock out the caller here, and nobody at
 * another entry point.
 */
export class EntryPoint implements SharedCount {
  readonly name: string;
  readonly #pepper: KeyObject;
  readonly #lockOut = new LockOut();
  readonly #valid: ValidCredentials | undefined;
  readonly #outcomes: AttemptOutcomes;
  #hasPeers = false;

  constructor(
    { name, remembers, pepper }: EntryPointOptions,
    private readonly exchange: CountExchange,
  ) {
    this.name = name;
    this.#pepper = createSecretKey(pepper);
    this.#valid = remembers ? new ValidCredentials() : undefined;
    this.#outcomes = new AttemptOutcomes(this.#lockOut, this.#valid);
    exchange.register(this);
  }

  /**
   * @param check verifies the credential; `undefined` if it is not valid
   * @throws TooManyRequests after too many failures. @throws AuthenticationError for an invalid credential
   */
  async admit<T>(attempt: Attempt, check: () => Promise<T | undefined> | T | undefined, refusal: string): Promise<T> {
    const network = networkOf(attempt.address);
    const key = this.#digest(network, attempt.subject);
    const credential = this.#digest(network, attempt.credential);
    const name = attempt.name === undefined ? undefined : this.#digest(attempt.name);
    this.#assertNotLockedOut(key, credential);
    const authenticated = await check();
    // Others may have failed meanwhile: many guesses at once learn no more than as many in turn.
    this.#assertNotLockedOut(key, credential);
    if (authenticated === undefined) {
      this.#lockOut.failed(key, name);
      // Answered once the others were notified: sequential guesses get no more tries at several processes.
      if (this.#record((outcomes) => outcomes.failed(key, name))) await this.exchange.flushed();
      throw new AuthenticationError(refusal);
    }
    if (name !== undefined && this.#lockOut.succeeded(key, name)) {
      this.#record((outcomes) => outcomes.succeeded(key, name));
    }
    if (this.#valid?.add(credential)) this.#record((outcomes) => outcomes.wasValid(credential));
    return authenticated;
  }

  #assertNotLockedOut(key: string, credential: string): void {
    const pause = this.#lockOut.pause(key);
    if (pause > 0 && !this.#valid?.has(credential)) {
      throw new TooManyRequests('Too many failed attempts. Try again later.', Math.ceil(pause / 1000));
    }
  }

  takeUnsent(maxCharacters: number): string | undefined {
    const taken = this.#outcomes.takeUnsent(maxCharacters);
    if (!this.#outcomes.isEmpty) this.exchange.schedule(true);
    return taken;
  }

  snapshot(maxCharacters: number): string | undefined {
    return this.#outcomes.snapshot(maxCharacters);
  }

  receive(payload: string): void {
    this.#outcomes.receive(payload);
  }

  /** Without peers each process counts by itself. */
  peersChanged(hasPeers: boolean): void {
    if (!hasPeers) this.#outcomes.clear();
    this.#hasPeers = hasPeers;
  }

  #record(outcome: (outcomes: AttemptOutcomes) => void): boolean {
    if (!this.#hasPeers) return false;
    outcome(this.#outcomes);
    this.exchange.schedule(true);
    return true;
  }

  /** Keys have one size, whatever is sent; neither the tables nor the messages hold a credential or an address. */
  #digest(...parts: readonly (string | undefined)[]): string {
    const text = JSON.stringify(['door', ...parts]);
    return createHmac('sha256', this.#pepper).update(text).digest('base64url').slice(0, 22);
  }
}

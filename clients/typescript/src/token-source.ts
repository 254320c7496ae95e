/** What a login gives. */
export interface IssuedToken {
  readonly token: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** A token is renewed when a tenth of its life is left: six minutes of an hour, more than any call takes. */
const RENEW_AT = 0.9;

interface HeldToken {
  readonly token: string;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/**
 * The token of the session. It is fetched when it is first needed and renewed before it expires; callers that need a
 * new one at the same time wait for one login.
 */
export class TokenSource {
  #held: HeldToken | undefined;
  #login: Promise<HeldToken> | undefined;

  constructor(
    private readonly logIn: () => Promise<IssuedToken>,
    private readonly now: () => number,
  ) {}

  /** A token that is good for longer than a call. @throws what the login throws, when there is no token to fall back on */
  async get(): Promise<string> {
    const held = this.#held;
    if (held && this.now() < held.renewAt) return held.token;
    try {
      return (await this.#renew()).token;
    } catch (error) {
      // The old one still works for a while; the next call tries again.
      if (held && this.#held === held && this.now() < held.expiresAt) return held.token;
      throw error;
    }
  }

  /** The service refused this token: unless another call has brought a new one already, the next `get` logs in. */
  refused(token: string): void {
    if (this.#held?.token === token) this.#held = undefined;
  }

  #renew(): Promise<HeldToken> {
    this.#login ??= this.#fetch().finally(() => (this.#login = undefined));
    return this.#login;
  }

  async #fetch(): Promise<HeldToken> {
    const asked = this.now();
    const { token, expiresIn } = await this.logIn();
    const life = expiresIn * 1000;
    this.#held = { token, renewAt: asked + life * RENEW_AT, expiresAt: asked + life };
    return this.#held;
  }
}

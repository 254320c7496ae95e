/** The result of a login. */
export interface IssuedToken {
  readonly token: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** A token is renewed when a tenth of its lifetime is left: six minutes of an hour. */
const RENEW_AT = 0.9;

interface HeldToken {
  readonly token: string;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/**
 * The token of the session. It is fetched when first needed and renewed before it expires; concurrent callers share one
 * login.
 */
export class TokenSource {
  #held: HeldToken | undefined;
  #login: Promise<HeldToken> | undefined;

  constructor(
    private readonly logIn: () => Promise<IssuedToken>,
    private readonly now: () => number,
  ) {}

  /**
   * A token that is valid now. While an old one is, nobody waits for the new one: a login may be retried for minutes.
   * @throws errors of the login, if there is no older valid token
   */
  async get(): Promise<string> {
    const held = this.#held;
    if (held && this.now() < held.renewAt) return held.token;
    const renewed = this.#renew();
    if (!held || this.now() >= held.expiresAt) return (await renewed).token;
    // The next call tries again.
    renewed.catch(() => undefined);
    return held.token;
  }

  /** The service refused this token: unless another call has renewed it already, the next `get` logs in. */
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

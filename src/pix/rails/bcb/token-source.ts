import type { ApiPixSettings } from '../../../platform/config/index.js';
import { RailUnavailable } from '../rail-errors.js';
import type { ApiPixDialect } from './dialect.js';
import type { MutualTls } from './mutual-tls.js';

const GRANT = { grant_type: 'client_credentials' };
/** A token is renewed this long before it expires, so that requests with it still arrive in time. */
const RENEWAL_MARGIN_MS = 30_000;
/** RFC 6749, 5.1: `expires_in` is only recommended. */
const DEFAULT_LIFE_S = 300;
/** However long it is said to live: one that is no good, and that nobody refuses with 401, is not kept for ever. */
const LONGEST_LIFE_S = 3_600;
/** What a header can carry. With another token no request would reach the PSP, so that it could not refuse it. */
const TOKEN = /^[\x21-\x7e]{1,8000}$/;

interface Token {
  readonly value: string;
  /** On `Date.now()`'s clock. */
  readonly until: number;
}

/**
 * Access tokens by the OAuth 2.0 client credentials grant (RFC 6749, 4.4): one is cached and shared until it expires.
 */
export class TokenSource {
  #token: Token | undefined;
  #request: Promise<Token> | undefined;

  constructor(
    private readonly http: MutualTls,
    private readonly settings: Pick<ApiPixSettings, 'tokenUrl' | 'clientId' | 'clientSecret' | 'timeoutMs'>,
    private readonly dialect: Pick<ApiPixDialect, 'tokenRequest' | 'scopes'>,
  ) {}

  /** @throws RailUnavailable */
  async get(): Promise<string> {
    if (this.#token && Date.now() < this.#token.until) return this.#token.value;
    this.#request ??= this.#requestToken().finally(() => (this.#request = undefined));
    this.#token = await this.#request;
    return this.#token.value;
  }

  /** The PSP refused a token before it expired; a newer one, got meanwhile, stays. */
  drop(value: string): void {
    if (this.#token?.value === value) this.#token = undefined;
  }

  async #requestToken(): Promise<Token> {
    const { tokenUrl, clientId, clientSecret, timeoutMs } = this.settings;
    const asked = Date.now();
    const { tokenRequest, scopes } = this.dialect;
    const isForm = tokenRequest === 'form';
    const encoded = isForm ? formEncoded : (text: string) => text;
    const {
      status,
      retryAfter = 0,
      body,
    } = await this.http.request({
      method: 'POST',
      url: tokenUrl,
      headers: {
        authorization: `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`,
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      },
      body: isForm ? new URLSearchParams({ ...GRANT, scope: scopes }).toString() : JSON.stringify(GRANT),
      timeoutMs,
      lane: 'Tokens',
    });
    const { access_token: value, expires_in: life } = (body ?? {}) as { access_token?: unknown; expires_in?: unknown };
    if (status !== 200 || typeof value !== 'string' || !TOKEN.test(value)) {
      const error = new RailUnavailable(`the PSP gave no access token: ${status} ${errorOf(body)}`);
      error.retryAfterMs = retryAfter * 1000;
      throw error;
    }
    const lifeMs = Math.min(Number(life) > 0 ? Number(life) : DEFAULT_LIFE_S, LONGEST_LIFE_S) * 1000;
    return { value, until: asked + lifeMs - Math.min(RENEWAL_MARGIN_MS, lifeMs / 2) };
  }
}

/** RFC 6749, 2.3.1: user and password of Basic are form-encoded first. */
function formEncoded(text: string): string {
  return new URLSearchParams({ _: text }).toString().slice(2);
}

/** RFC 6749, 5.2: an error code. Any other text is the PSP's own, and may repeat the request. */
function errorOf(body: unknown): string {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : '';
}

import type { ApiPixSettings } from '../../../platform/config/index.js';
import { RailUnavailable } from '../pix-rail.js';
import type { ApiPixDialect } from './dialect.js';
import type { MutualTls } from './mutual-tls.js';

const GRANT = { grant_type: 'client_credentials' };
/** A token is replaced so long before its end: a request that carries it must still arrive. */
const EARLY_MS = 30_000;
/** RFC 6749, 5.1: `expires_in` is only recommended. */
const LIFE_WITHOUT_WORD_S = 300;

interface Token {
  readonly value: string;
  /** On `Date.now()`'s clock. */
  readonly until: number;
}

/** Access tokens by the OAuth 2.0 client credentials grant (RFC 6749, 4.4): one is kept and shared until it ends. */
export class TokenSource {
  #token: Token | undefined;
  #asking: Promise<Token> | undefined;

  constructor(
    private readonly http: MutualTls,
    private readonly settings: Pick<ApiPixSettings, 'tokenUrl' | 'clientId' | 'clientSecret' | 'timeoutMs'>,
    private readonly dialect: Pick<ApiPixDialect, 'tokenRequest' | 'scopes'>,
  ) {}

  /** @throws RailUnavailable */
  async get(): Promise<string> {
    if (this.#token && Date.now() < this.#token.until) return this.#token.value;
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    this.#token = await this.#asking;
    return this.#token.value;
  }

  /** The PSP refused a token before its end; a newer one, made meanwhile, stays. */
  drop(value: string): void {
    if (this.#token?.value === value) this.#token = undefined;
  }

  async #ask(): Promise<Token> {
    const { tokenUrl, clientId, clientSecret, timeoutMs } = this.settings;
    const asked = Date.now();
    const { tokenRequest, scopes } = this.dialect;
    const isForm = tokenRequest === 'form';
    const encoded = isForm ? formEncoded : (text: string) => text;
    const { status, body } = await this.http.request({
      method: 'POST',
      url: tokenUrl,
      headers: {
        authorization: `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`,
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      },
      body: isForm ? new URLSearchParams({ ...GRANT, scope: scopes }).toString() : JSON.stringify(GRANT),
      timeoutMs,
    });
    const { access_token: value, expires_in: life } = (body ?? {}) as { access_token?: unknown; expires_in?: unknown };
    if (status !== 200 || typeof value !== 'string' || value === '') {
      throw new RailUnavailable(`the PSP gave no access token: ${status} ${errorOf(body)}`);
    }
    const lifeMs = (Number(life) > 0 ? Number(life) : LIFE_WITHOUT_WORD_S) * 1000;
    return { value, until: asked + lifeMs - Math.min(EARLY_MS, lifeMs / 2) };
  }
}

/** RFC 6749, 2.3.1: user and password of Basic are form-encoded first. */
function formEncoded(text: string): string {
  return new URLSearchParams({ _: text }).toString().slice(2);
}

/** RFC 6749, 5.2: one of a few words. Anything else is the PSP's own, and may repeat what it was sent. */
function errorOf(body: unknown): string {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : '';
}

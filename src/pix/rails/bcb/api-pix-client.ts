import { Logger } from '@nestjs/common';
import type { ApiPixSettings } from '../../../platform/config/index.js';
import { RailUnavailable } from '../pix-rail.js';
import type { ApiPixDialect } from './dialect.js';
import type { HttpAnswer, HttpRequest, MutualTls } from './mutual-tls.js';
import { ApiPixRefusal } from './problem.js';
import type { TokenSource } from './token-source.js';

export interface ApiPixRequest {
  /** How the log names it: paths may hold a key of a person. */
  readonly operation: string;
  readonly method: Exclude<HttpRequest['method'], 'POST'>;
  /** The base address, where it is not that of the API Pix. */
  readonly base?: string;
  /** Under the base address; its parts are encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent again only where the PSP says that it has not looked at it: whether it was done is asked before. */
  readonly once?: boolean;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The port's callers wait ten seconds; the last try must end before them. */
const ALL_TRIES_MS = 9_000;
const PAUSES_MS = [100, 400];

/**
 * Asks the PSP's API Pix: token, tries, answers. Everything that this rail asks for may be repeated (an identifier of
 * ours stands in every path that changes something), so time-outs, broken connections, 429 and 5xx are tried again.
 */
export class ApiPixClient {
  readonly #logger = new Logger('API Pix');

  constructor(
    private readonly http: MutualTls,
    private readonly tokens: TokenSource,
    private readonly settings: Pick<ApiPixSettings, 'baseUrl' | 'timeoutMs'>,
    private readonly dialect: ApiPixDialect,
  ) {}

  /**
   * @returns the answer's body
   * @throws ApiPixRefusal when the PSP will not do it; RailUnavailable when it did not say
   */
  async call(request: ApiPixRequest): Promise<unknown> {
    const deadline = Date.now() + ALL_TRIES_MS;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#try(request, deadline);
      if ('body' in outcome) return outcome.body;
      const pause = Math.max(outcome.pauseMs, PAUSES_MS[attempt] ?? Infinity);
      if (Date.now() + pause + this.settings.timeoutMs > deadline) {
        this.#logger.warn({ operation: request.operation, err: outcome.error }, 'the PSP could not be asked');
        throw outcome.error;
      }
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }

  async #try(request: ApiPixRequest, deadline: number): Promise<Outcome> {
    try {
      const { status, body, retryAfter = 0 } = await this.#send(request, deadline);
      if (status >= 200 && status < 300) return { body };
      const refusal = ApiPixRefusal.of(status, body, this.dialect);
      if (refusal.meaning !== 'Unavailable') throw refusal;
      const error = new RailUnavailable(`the PSP does not do this now: ${refusal.message}`);
      error.retryAfterMs = retryAfter * 1000;
      const mayPass = status === 429 || (!request.once && (status >= 500 || status === 408));
      return { error, pauseMs: mayPass ? retryAfter * 1000 : Infinity };
    } catch (error) {
      if (error instanceof RailUnavailable) return { error, pauseMs: request.once ? Infinity : 0 };
      throw error;
    }
  }

  async #send({ method, base, path, query, headers, body }: ApiPixRequest, deadline: number): Promise<HttpAnswer> {
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const sendWith = (token: string): Promise<HttpAnswer> =>
      this.http.request({
        method,
        url: `${base ?? this.settings.baseUrl}${path}${search}`,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
        body: body && JSON.stringify(body),
        timeoutMs: Math.min(this.settings.timeoutMs, Math.max(1, deadline - Date.now())),
      });
    const token = await this.tokens.get();
    const answer = await sendWith(token);
    if (answer.status !== 401) return answer;
    // It was revoked, or the clocks differ: once with a new one.
    this.tokens.drop(token);
    return sendWith(await this.tokens.get());
  }
}

/** What one try came to; an infinite pause: no other try would fare better. */
type Outcome = { readonly body: unknown } | { readonly error: RailUnavailable; readonly pauseMs: number };

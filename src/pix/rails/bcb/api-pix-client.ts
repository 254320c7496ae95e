import type { HeldLease } from '../../../event-store/index.js';
import type { ApiPixSettings } from '../../../platform/config/index.js';
import { RailUnavailable } from '../rail-errors.js';
import type { ApiPixDialect } from './dialect.js';
import type { HttpAnswer, HttpRequest, Lane, MutualTls } from './mutual-tls.js';
import { ApiPixRefusal } from './problem.js';
import type { TokenSource } from './token-source.js';

export interface ApiPixRequest {
  /** Its name in log records: a path may contain a person's key. */
  readonly operation: string;
  /** `POST` has no identifier of ours: only with `once`. */
  readonly method: HttpRequest['method'];
  /** Whose connections it takes; default: those of look-ups. */
  readonly lane?: Lane;
  /** The base address, where it is not that of the API Pix. */
  readonly base?: string;
  /** Under the base address; its parts are encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Not repeated unless the PSP rejected it unprocessed (429): the caller queries the outcome instead. */
  readonly once?: boolean;
  /** Nothing is sent once it may be over: a token, or a pause that the PSP asked for, may have taken long. */
  readonly lease?: HeldLease;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The rail's callers wait ten seconds; the last attempt must end before. */
const TOTAL_TIMEOUT_MS = 9_000;
const BACKOFF_MS = [100, 400];

/**
 * Calls the PSP's API Pix: token, retries, answers. Every request is idempotent (an identifier of ours is in each path
 * that changes something), so timeouts, broken connections, 429 and 5xx are retried.
 */
export class ApiPixClient {
  constructor(
    private readonly http: MutualTls,
    private readonly tokens: TokenSource,
    private readonly settings: Pick<ApiPixSettings, 'baseUrl' | 'timeoutMs'>,
    private readonly dialect: ApiPixDialect,
  ) {}

  /**
   * @returns the answer's body
   * @throws ApiPixRefusal when the PSP refuses it; RailUnavailable when the outcome is unknown
   */
  async call(request: ApiPixRequest): Promise<unknown> {
    const deadline = Date.now() + TOTAL_TIMEOUT_MS;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#try(request, deadline);
      if ('body' in outcome) return outcome.body;
      const pause = Math.max(outcome.pauseMs, BACKOFF_MS[attempt] ?? Infinity);
      if (Date.now() + pause + this.settings.timeoutMs > deadline) {
        // The record of the rail's call says which request of it failed.
        outcome.error.message = `${request.operation}: ${outcome.error.message}`;
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
      const error = new RailUnavailable(`the PSP is unavailable: ${refusal.message}`);
      error.retryAfterMs = retryAfter * 1000;
      const isRetried = status === 429 || (!request.once && (status >= 500 || status === 408));
      return { error, pauseMs: isRetried ? retryAfter * 1000 : Infinity };
    } catch (error) {
      if (error instanceof RailUnavailable) return { error, pauseMs: request.once ? Infinity : error.retryAfterMs };
      throw error;
    }
  }

  async #send(request: ApiPixRequest, deadline: number): Promise<HttpAnswer> {
    const { method, base, path, query, headers, body, lease, lane } = request;
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const sendWith = async (token: string): Promise<HttpAnswer> => {
      if (lease && !lease.isCertain) throw new RailUnavailable('the lease of the attempt may be over');
      return this.http.request({
        method,
        url: `${base ?? this.settings.baseUrl}${path}${search}`,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
        body: body && JSON.stringify(body),
        timeoutMs: Math.min(this.settings.timeoutMs, Math.max(1, deadline - Date.now())),
        lane,
      });
    };
    const token = await this.tokens.get();
    const answer = await sendWith(token);
    if (answer.status !== 401) return answer;
    // The token was revoked, or the clocks differ: one retry with a new token.
    this.tokens.drop(token);
    return sendWith(await this.tokens.get());
  }
}

/** The result of one attempt; an infinite pause: no retry. */
type Outcome = { readonly body: unknown } | { readonly error: RailUnavailable; readonly pauseMs: number };

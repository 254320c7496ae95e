import { Logger } from '@nestjs/common';
import type { BcbSettings } from '../../../platform/config/index.js';
import { RailUnavailable } from '../pix-rail.js';
import type { HttpAnswer, HttpRequest, MutualTls } from './mutual-tls.js';
import { ApiPixRefusal } from './problem.js';
import type { TokenSource } from './token-source.js';

export interface ApiPixRequest {
  /** How the log names it: paths may hold a key of a person. */
  readonly operation: string;
  readonly method: Exclude<HttpRequest['method'], 'POST'>;
  /** Under the base address; its parts are encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The port's callers wait ten seconds; the last try must end before them. */
const ALL_TRIES_MS = 9_000;
const PAUSES_MS = [100, 400];
/** Refusals of this very request, which a repetition would meet again. */
const FINAL: ReadonlySet<number> = new Set([400, 404, 409, 410, 422]);

/**
 * Asks the PSP's API Pix: token, tries, answers. Everything that this rail asks for may be repeated (an identifier of
 * ours stands in every path that changes something), so time-outs, broken connections, 429 and 5xx are tried again.
 */
export class ApiPixClient {
  readonly #logger = new Logger('BCB rail');

  constructor(
    private readonly http: MutualTls,
    private readonly tokens: TokenSource,
    private readonly settings: Pick<BcbSettings, 'baseUrl' | 'timeoutMs'>,
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
      const refusal = ApiPixRefusal.of(status, body);
      if (FINAL.has(status)) throw refusal;
      const error = new RailUnavailable(`the PSP does not do this now: ${refusal.message}`);
      const mayPass = status >= 500 || status === 408 || status === 429;
      return { error, pauseMs: mayPass ? retryAfter * 1000 : Infinity };
    } catch (error) {
      if (error instanceof RailUnavailable) return { error, pauseMs: 0 };
      throw error;
    }
  }

  async #send({ method, path, query, body }: ApiPixRequest, deadline: number): Promise<HttpAnswer> {
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const sendWith = (token: string): Promise<HttpAnswer> =>
      this.http.request({
        method,
        url: `${this.settings.baseUrl}${path}${search}`,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
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

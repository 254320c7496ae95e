import { ApiError, errorOf, NoAnswerError, PaymentsError } from './errors.js';
import { abortable, endedBy, outcomeOf, pause, pauseAfter } from './retry.js';
import { type IssuedToken, TokenSource } from './token-source.js';
import { baseOf, timeoutOf, type TransportOptions } from './transport-options.js';

/** One call, with its retries. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** The body is a text of this type, instead of JSON. */
  readonly contentType?: string;
  readonly idempotencyKey?: string;
  /** Aborts the call, waits and retries included. */
  readonly signal?: AbortSignal;
  /** No token is needed. */
  readonly open?: true;
  /** Repeated without a key: a POST that changes nothing, or a change that sent twice does what it does once. */
  readonly repeatable?: 'read' | 'change';
  /** Whether a success leaves open what became of a part: it is called again, and the last such answer is given. */
  readonly isOpen?: (data: unknown) => boolean;
}

/** A success that leaves a part open. */
class PartlyOpen extends PaymentsError {
  protected override leavesOpen(): boolean {
    return true;
  }
}

/** A success answer: its `data`, and facts from its headers. */
export interface Answered<T> {
  readonly data: T;
  readonly headers: Headers;
}

const LOGIN = '/partners-int/login';

/** Calls with a token and a timeout, and retries where that is safe. */
export class Transport {
  readonly #tokens: TokenSource;
  readonly #fetch: typeof globalThis.fetch;
  readonly #now: () => number;
  readonly #base: string;
  readonly #timeoutMs: number;

  constructor(private readonly options: TransportOptions) {
    this.#timeoutMs = timeoutOf(options);
    this.#base = baseOf(options.baseUrl);
    // Called without `this`: a browser's fetch refuses any other receiver.
    const given = options.fetch;
    this.#fetch = given ? (...args) => given(...args) : (...args) => globalThis.fetch(...args);
    this.#now = options.now ?? Date.now;
    this.#tokens = new TokenSource(() => this.#logIn(), this.#now);
  }

  /**
   * @throws ApiError for an error answer; NoAnswerError without an answer; the signal's reason when it aborted the
   *   call; RangeError or TypeError for what cannot be sent. Errors of the first two have the call's idempotency key.
   */
  async call<T>(call: Call): Promise<Answered<T>> {
    let open: Answered<T> | undefined;
    try {
      return await this.#retried(call, async (token) => {
        const answered = await this.#once<T>(call, token);
        if (!call.isOpen?.(answered.data)) return answered;
        open = answered;
        throw new PartlyOpen();
      });
    } catch (error) {
      call.signal?.throwIfAborted();
      if (open === undefined) throw error;
      return open;
    }
  }

  /**
   * The body of a success answer, as it arrives; the timeout ends with its headers.
   * @throws as `call`; what breaks off is not begun again
   */
  stream(call: Call): Promise<AsyncIterable<Uint8Array>> {
    return this.#retried(call, (token) => this.#begun(call, token));
  }

  async #retried<T>(call: Call, once: (token: string | undefined) => Promise<T>): Promise<T> {
    checkKey(call);
    const reads = call.method === 'GET' || call.repeatable === 'read';
    const repeatable = reads || call.repeatable === 'change' || call.idempotencyKey !== undefined;
    let refused: unknown;
    for (let tries = 1, renewed = false; ; tries++) {
      const token = call.open ? undefined : await this.#token(call, refused);
      try {
        return await once(token);
      } catch (error) {
        if (token !== undefined && !renewed && error instanceof ApiError && error.status === 401) {
          // Refused before execution: the token expired early, or the service has a new token secret.
          renewed = true;
          this.#tokens.refused(token);
          tries -= 1;
          continue;
        }
        refused = withKey(reads ? error : outcomeOf(refused, error), call);
        const wait = pauseAfter(error, tries, repeatable, this.options.retries ?? {});
        if (wait === undefined) throw refused;
        await pause(wait, call.signal);
      }
    }
  }

  /** Without a token for a retry, the caller gets what the attempts before say. */
  async #token(call: Call, before: unknown): Promise<string> {
    try {
      return await abortable(() => this.#tokens.get(), call.signal);
    } catch (error) {
      call.signal?.throwIfAborted();
      if (before !== undefined) throw endedBy(before, error);
      throw error instanceof PaymentsError ? withKey(error.beforeSending(), call) : error;
    }
  }

  async #logIn(): Promise<IssuedToken> {
    const { accessKey, secret } = this.options;
    const body = { accessKey, secret };
    return (await this.call<IssuedToken>({ method: 'POST', path: LOGIN, body, open: true, repeatable: 'read' })).data;
  }

  async #once<T>(call: Call, token?: string): Promise<Answered<T>> {
    const { response, text } = await this.#exchange(call, token);
    const body = parse(text);
    if (!response.ok || !isSuccess<T>(body)) throw errorOf(response, body, this.#now());
    return { data: body.data, headers: response.headers };
  }

  async #exchange(call: Call, token: string | undefined): Promise<{ response: Response; text: string }> {
    const response = await this.#fetched(call, token, AbortSignal.timeout(this.#timeoutMs));
    return { response, text: await textOf(call, response) };
  }

  async #begun(call: Call, token: string | undefined): Promise<AsyncIterable<Uint8Array>> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#timeoutMs);
    try {
      const response = await this.#fetched(call, token, late.signal);
      if (response.ok && response.body) return response.body;
      throw errorOf(response, parse(await textOf(call, response)), this.#now());
    } finally {
      clearTimeout(timer);
    }
  }

  async #fetched(call: Call, token: string | undefined, timeout: AbortSignal): Promise<Response> {
    const { method, body, signal, idempotencyKey, contentType } = call;
    signal?.throwIfAborted();
    // A body that is no JSON is the caller's fault, and no lost answer.
    const init: RequestInit = {
      method,
      headers: {
        accept: 'application/json, */*;q=0.5',
        ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: contentType === undefined ? JSON.stringify(body) : (body as string) }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    };
    try {
      return await this.#fetch(this.#url(call), init);
    } catch (cause) {
      throw noAnswer(call, cause);
    }
  }

  #url({ path, query = {} }: Call): string {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return `${this.#base}${path}${given.length > 0 ? `?${search.toString()}` : ''}`;
  }
}

/** @throws RangeError for a key that a header does not carry as it is */
function checkKey({ idempotencyKey }: Call): void {
  if (idempotencyKey === undefined || /^[!-~]{1,255}$/.test(idempotencyKey)) return;
  throw new RangeError(`an idempotency key is 1 to 255 visible ASCII characters: ${JSON.stringify(idempotencyKey)}`);
}

/** @throws the signal's reason when it aborted the call */
function noAnswer({ method, path, signal }: Call, cause: unknown): NoAnswerError {
  signal?.throwIfAborted();
  return new NoAnswerError(`${method} ${path}: no answer came`, { cause });
}

async function textOf(call: Call, response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw noAnswer(call, cause);
  }
}

/** Every success of the service has data, with members. What a proxy says in its place may have none. */
function isSuccess<T>(body: unknown): body is { data: T } {
  const { statusCode, data } = (body ?? {}) as { statusCode?: unknown; data?: unknown };
  if (statusCode !== 'Done' && statusCode !== 'Incomplete') return false;
  return typeof data === 'object' && data !== null && Object.keys(data).length > 0;
}

function withKey(error: unknown, { idempotencyKey }: Call): unknown {
  if (error instanceof PaymentsError && idempotencyKey !== undefined) error.idempotencyKey = idempotencyKey;
  return error;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

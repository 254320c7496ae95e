import type { Dispatcher } from 'undici';
import { AttemptFailed, type AttemptErrorCode, attemptFailure } from '../../platform/outbound/attempt-error.js';
import { startDeadline } from '../../platform/outbound/deadline.js';
import type { GuardedAgent } from '../../platform/outbound/guarded-agent.js';
import { checkOutboundUrl } from '../../platform/outbound/outbound-url.js';
import { retryAfterSeconds } from '../../platform/outbound/retry-after.js';

export interface WebhookRequest {
  readonly url: string;
  /** The JSON text, exactly as signed. */
  readonly body: string;
  /** The signature's headers and the client's custom one. `content-type` and `user-agent` are set here. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Milliseconds for the whole attempt: wait for a connection, DNS, connect, headers and body. Default 15,000
   * (decisions 8).
   */
  readonly deadlineMs?: number;
}

/** The result of one attempt. All but `detail` may be shown to the partner. */
export interface AttemptResult {
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Null without response headers. */
  readonly httpStatus: number | null;
  /** Null for a complete response (or one cut at the read limit) of any status but a redirect. */
  readonly error: AttemptErrorCode | null;
  /** `Retry-After` of a response other than 2xx. */
  readonly retryAfterSeconds?: number;
  /** For the operator's log only: it has addresses and system codes. */
  readonly detail?: string;
}

const DEFAULT_DEADLINE_MS = 15_000;
/** A response is read to its end so that its connection can be reused, but no further than this. */
const MAX_ANSWER_BYTES = 64 * 1024;
const USER_AGENT = 'Partner-Payments-Webhooks/1';
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Makes one attempt at a delivery. Every fault of the receiver, its name or its address is a result, not a rejection.
 * @throws SenderClosed when the agent was closed or destroyed: the attempt does not count
 */
export async function sendWebhook(agent: GuardedAgent, request: WebhookRequest): Promise<AttemptResult> {
  const startedAt = new Date();
  const started = performance.now();
  const answer = await attempt(agent, request);
  return { startedAt, durationMs: Math.round(performance.now() - started), ...answer };
}

/**
 * `Delivered`: a complete 2xx response in time. `Gone`: 410, the delivery stops. `Failed`: retry (decisions 8).
 * A 2xx whose body broke off or outlasted the deadline has failed: the receiver deduplicates by `webhook-id`.
 */
export function attemptOutcome(result: Pick<AttemptResult, 'httpStatus' | 'error'>): 'Delivered' | 'Gone' | 'Failed' {
  const { httpStatus, error } = result;
  if (httpStatus === 410) return 'Gone';
  return error === null && httpStatus !== null && httpStatus >= 200 && httpStatus <= 299 ? 'Delivered' : 'Failed';
}

/**
 * Whether the receiver works, for its circuit: one that refuses the message does. `undefined`: nothing was sent, which
 * says nothing of it.
 */
export function isAlive({ httpStatus, error }: Pick<AttemptResult, 'httpStatus' | 'error'>): boolean | undefined {
  if (error === 'NotPrepared') return undefined;
  return error === null && httpStatus !== null && httpStatus < 500 && httpStatus !== 429 && httpStatus !== 408;
}

type Answer = Pick<AttemptResult, 'httpStatus' | 'error' | 'retryAfterSeconds' | 'detail'>;

async function attempt(agent: GuardedAgent, request: WebhookRequest): Promise<Answer> {
  // Checked at each attempt (decisions 8): the settings may have become stricter.
  const check = checkOutboundUrl(request.url, agent.policy);
  if (!check.ok) return { httpStatus: null, error: 'AddressNotAllowed', detail: check.fault.message };

  const deadline = startDeadline(request.deadlineMs ?? DEFAULT_DEADLINE_MS);
  let answer: Answer = { httpStatus: null, error: null };
  try {
    // undici observes the signal only once the request is on a connection; the race covers waiting and connecting. A
    // request whose signal fired while it waited is dropped, never sent late.
    const response = await Promise.race([
      agent.dispatcher.request(post(check.url, request, deadline.signal)),
      deadline.passed,
    ]);
    answer = readHead(response);
    await Promise.race([readBounded(response.body), deadline.passed]);
    return answer;
  } catch (error) {
    const failure = attemptFailure(error);
    if (!(failure instanceof AttemptFailed)) throw failure;
    return { ...answer, error: answer.error ?? failure.code, detail: failure.detail };
  } finally {
    deadline.clear();
  }
}

function post(url: URL, request: WebhookRequest, signal: AbortSignal): Dispatcher.RequestOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: { ...request.headers, 'content-type': 'application/json', 'user-agent': USER_AGENT },
    body: request.body,
    signal,
  };
}

function readHead({ statusCode, headers }: Dispatcher.ResponseData): Answer {
  const succeeded = statusCode >= 200 && statusCode <= 299;
  const wait = succeeded ? undefined : retryAfterSeconds(headers['retry-after'], Date.now());
  return {
    httpStatus: statusCode,
    error: REDIRECTS.has(statusCode) ? 'RedirectNotFollowed' : null,
    ...(wait !== undefined && { retryAfterSeconds: wait }),
  };
}

/** Leaving the loop early destroys the body and its connection. */
async function readBounded(body: Dispatcher.ResponseData['body']): Promise<void> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) return;
  }
}

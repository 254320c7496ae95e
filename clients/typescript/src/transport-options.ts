import type { RetryOptions } from './retry.js';

const MOST_TIMEOUT_MS = 2 ** 31 - 1;

/** Connection options of the client. */
export interface TransportOptions {
  /** Address of the service: `https://pay.example.com`. */
  readonly baseUrl: string;
  /** Of one access key; its account is the account of every call. */
  readonly accessKey: string;
  readonly secret: string;
  /** Timeout of each attempt, milliseconds; for the results of a file until they begin. Default 30,000. */
  readonly timeoutMs?: number;
  readonly retries?: RetryOptions;
  /** Another `fetch`, for proxies or tests. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** @throws RangeError for a time that no timer can wait: each call would end at once */
export function timeoutOf({ timeoutMs = 30_000 }: TransportOptions): number {
  if (timeoutMs >= 1 && timeoutMs <= MOST_TIMEOUT_MS) return timeoutMs;
  throw new RangeError(`timeoutMs is 1 to ${MOST_TIMEOUT_MS} milliseconds: ${timeoutMs}`);
}

/** @throws TypeError for what is no address; it may hold a password, and is not repeated */
export function baseOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.search !== '') {
    throw new TypeError('baseUrl is the address of the service, such as https://pay.example.com');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

import {
  ApiError,
  NoAnswerError,
  OutcomeUnknownError,
  ServiceUnavailableError,
  TooManyRequestsError,
} from './errors.js';

/** How often, and for how long, a call is repeated. */
export interface RetryOptions {
  /** Repetitions after the first try; 0 turns them off. Default 4. */
  readonly limit?: number;
  /** The longest single pause, milliseconds. An answer that asks for a longer one is thrown instead. Default 30,000. */
  readonly longestPauseMs?: number;
}

const FIRST_PAUSE_MS = 250;

/** Statuses of proxies on the way: what became of the request behind them is not known. */
const LOST_ON_THE_WAY = new Set([502, 503, 504]);

/**
 * How long to wait before the next try, in milliseconds; `undefined` to give up.
 * @param repeatable the same request may be carried out twice without harm: a GET, a login, or a command under a key
 * @param tries how many there were
 */
export function pauseAfter(
  error: unknown,
  tries: number,
  repeatable: boolean,
  { limit = 4, longestPauseMs = 30_000 }: RetryOptions,
  random: () => number = Math.random,
): number | undefined {
  if (tries > limit || !mayRepeat(error, repeatable)) return undefined;
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  if (asked > longestPauseMs) return undefined;
  // Never before what was asked; the random part keeps many clients from coming back together.
  const own = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), longestPauseMs);
  return Math.min(asked + own * random(), longestPauseMs);
}

function mayRepeat(error: unknown, repeatable: boolean): boolean {
  // The service says that nothing was done.
  if (error instanceof TooManyRequestsError || error instanceof ServiceUnavailableError) return true;
  if (!repeatable) return false;
  if (error instanceof NoAnswerError || error instanceof OutcomeUnknownError) return true;
  return error instanceof ApiError && error.name === 'UnexpectedAnswer' && LOST_ON_THE_WAY.has(error.status);
}

/** Waits; ends early, with its reason, when the signal does. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** What a promise gives, or the signal's reason when that ends first. The promise itself goes on. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

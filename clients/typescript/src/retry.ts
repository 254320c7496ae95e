import {
  ApiError,
  ConflictError,
  InternalError,
  InvalidInputError,
  PaymentsError,
  ServiceUnavailableError,
} from './errors.js';

/** How often, and after which pauses, a call is retried. */
export interface RetryOptions {
  /** Retries after the first attempt; 0 turns them off. Default 4. */
  readonly limit?: number;
  /**
   * The longest single pause, milliseconds. An answer with a longer `Retry-After` is thrown instead. Default 30,000.
   */
  readonly longestPauseMs?: number;
}

const FIRST_PAUSE_MS = 250;

/**
 * Milliseconds before the next attempt; `undefined` to stop.
 * @param repeatable sent twice it does what it does once, or it has a key
 * @param tries attempts so far
 */
export function pauseAfter(
  error: unknown,
  tries: number,
  repeatable: boolean,
  { limit = 4, longestPauseMs = 30_000 }: RetryOptions,
  random: () => number = Math.random,
): number | undefined {
  // So that an option that is no number has nothing retried, instead of for ever or without a pause.
  if (!(tries <= limit) || !mayRepeat(error, repeatable)) return undefined;
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  if (!(asked <= longestPauseMs)) return undefined;
  // Never before `Retry-After`; the jitter spreads the retries of many clients.
  const own = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), longestPauseMs);
  return Math.min(asked + own * random(), longestPauseMs);
}

function mayRepeat(error: unknown, repeatable: boolean): boolean {
  // Nothing was done: the service guarantees it, and a proxy's 429 was not passed on.
  if (error instanceof ServiceUnavailableError || (error instanceof ApiError && error.status === 429)) return true;
  // A defect shows again.
  return repeatable && leavesOpen(error) && !(error instanceof InternalError);
}

/** Whether the attempt may have done its work. */
function leavesOpen(error: unknown): boolean {
  return error instanceof PaymentsError && error.isOutcomeUnknown;
}

/**
 * Whether the answer holds for all attempts: a request that is malformed, or whose key is another one's, was so at
 * each. A refusal does not, nor does a rule on the input (`reason`), which may depend on the moment: an attempt before
 * may still be under way.
 */
function isConclusive(error: ApiError): boolean {
  if (error instanceof InvalidInputError) return error.status === 400 && error.reason === undefined;
  return error instanceof ConflictError;
}

/**
 * What a change throws if it ends with this attempt. "Nothing was done" is true of the attempt that it answers: one
 * before, which was left open, may have done it.
 * @param before what it would have thrown after the attempt before
 */
export function outcomeOf(before: unknown, error: unknown): unknown {
  const isAnswered = error instanceof ApiError && !leavesOpen(error) && !isConclusive(error);
  return isAnswered && leavesOpen(before) ? endedBy(before, error) : error;
}

/** The error of an earlier attempt, with what ended the call. */
export function endedBy(before: unknown, cause: unknown): unknown {
  if (before instanceof PaymentsError) before.cause = cause;
  return before;
}

/** Waits; ends early, with its reason, when the signal does. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
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

/** The outcome of what it starts, or the signal's reason if it aborts first. What was started goes on. */
export async function abortable<T>(start: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return start();
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([start(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

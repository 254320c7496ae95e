const BACKOFF_S = [1, 2, 5, 10, 30, 60];

/** When to ask the rail again: backoff up to a minute, without an end, as no payment may stay open for ever. */
export function backoff(attempts: number): { readonly retryAt: Date } {
  const pause = BACKOFF_S[Math.min(attempts, BACKOFF_S.length) - 1] ?? BACKOFF_S[0]!;
  return { retryAt: new Date(Date.now() + pause * 1000) };
}

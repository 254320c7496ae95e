const PAUSES_S = [1, 2, 5, 10, 30, 60];

/** When to ask the rail again: ever later, at most a minute; never at all would leave money in the air. */
export function askAgain(attempts: number): { readonly retryAt: Date } {
  const pause = PAUSES_S[Math.min(attempts, PAUSES_S.length) - 1] ?? PAUSES_S[0]!;
  return { retryAt: new Date(Date.now() + pause * 1000) };
}

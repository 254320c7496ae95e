import { AttemptFailed } from './attempt-error.js';

export interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects with `AttemptFailed` at the deadline. */
  readonly passed: Promise<never>;
  readonly clear: () => void;
}

/** One deadline for a whole round trip: waiting for a connection, DNS, connecting, head and body together. */
export function startDeadline(ms: number): Deadline {
  const controller = new AbortController();
  let clear = () => {};
  const passed = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      const failure = new AttemptFailed('Timeout', `deadline of ${ms} ms`);
      reject(failure);
      controller.abort(failure);
    }, ms);
    clear = () => clearTimeout(timer);
  });
  return { signal: controller.signal, passed, clear };
}

import type { Attempt } from '../../src/event-store/index.js';

/** An attempt that begins now; what became of those before it is not known. */
export function attempt(attempts: number): Attempt {
  return { attempts, begunAt: performance.now(), refusedSince: null };
}

import { setFlagsFromString } from 'node:v8';

/** Flags of V8 that bound the heap of every isolate, a thread's `resourceLimits` notwithstanding. */
const OF_ALL_HEAPS = ['max-old-space-size', 'max-semi-space-size', 'min-semi-space-size', 'initial-old-space-size'];

/**
 * Has each thread the heap that it is given. The flags that Node is started with are for the main thread, which has its
 * heap by now; a thread that is to have 64 MB had theirs instead: 436 MB with those of `npm start`.
 */
export function boundThreadsByTheirOwnLimits(): void {
  for (const flag of OF_ALL_HEAPS) setFlagsFromString(`--${flag}=0`);
}

import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives this process a low CPU priority, but not the lowest: where all processors are busy that one gets next to no
 * time, and a verification would not end. Linux has a priority for each thread, and those of the garbage collector
 * exist before any of our code runs.
 */
export function lowerPriority(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The thread has ended, or the system does not allow it: neither is a reason to fail.
    }
  }
}

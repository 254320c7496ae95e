import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lets every other process of the machine go first. Linux keeps a priority for each thread, and those of the garbage
 * collector were there before any code of ours.
 */
export function giveWay(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      setPriority(thread, constants.priority.PRIORITY_LOW);
    } catch {
      // It has ended meanwhile, or the system does not allow it: this is a courtesy, and no reason to end.
    }
  }
}

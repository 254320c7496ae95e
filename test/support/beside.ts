import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * The control of a bound in time: how long a process that only waits for so long takes from its start to its end. What
 * a busy machine adds to the one that is tested it adds to this one too.
 */
export async function waitedBeside(ms: number): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ['-e', `setTimeout(() => undefined, ${ms})`]), 'exit');
  return performance.now() - began;
}

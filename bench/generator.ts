import { spawn } from 'node:child_process';
import type { LoadPlan, LoadResult } from './load.ts';
import { hasWrk, wrk } from './wrk.ts';

/** The generator of closed loops on this machine. */
export const closedLoop = hasWrk ? 'wrk' : 'bench/load.ts (wrk is not installed)';

/**
 * Offers the load from a process of its own: a closed loop by `wrk` where there is one, which does not look into
 * batches.
 */
export function offer(plan: LoadPlan): Promise<LoadResult> {
  const isClosed = plan.rate === undefined && plan.amount === undefined;
  return hasWrk && isClosed && plan.items === undefined ? wrk(plan) : ofProcess(plan);
}

function ofProcess(plan: LoadPlan): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['bench/load.ts'], { stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('exit', (code) =>
      code === 0 ? resolve(JSON.parse(output) as LoadResult) : reject(new Error('the load failed')),
    );
    child.stdin.end(JSON.stringify(plan));
  });
}

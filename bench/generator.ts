import { spawn } from 'node:child_process';
import type { LoadPlan, LoadResult } from './load.ts';
import { hasWrk, wrk } from './wrk.ts';

/** Offers the load from a process of its own: at a rate an open loop, else a closed one, by `wrk` where there is one. */
export function offer(plan: LoadPlan): Promise<LoadResult> {
  if (plan.rate !== undefined) return ofProcess('bench/open-loop.ts', plan);
  return hasWrk ? wrk(plan) : ofProcess('bench/load.ts', plan);
}

function ofProcess(script: string, plan: LoadPlan): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('exit', (code) =>
      code === 0 ? resolve(JSON.parse(output) as LoadResult) : reject(new Error('the load failed')),
    );
    child.stdin.end(JSON.stringify(plan));
  });
}

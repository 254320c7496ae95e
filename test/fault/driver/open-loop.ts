import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A request that is sent again and again. */
export interface LoopPlan {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  readonly body?: string;
  readonly perSecond: number;
  readonly seconds: number;
}

/** One request and what became of it. */
export interface Shot {
  /** Milliseconds after the start at which it was sent. */
  readonly sentAt: number;
  /** HTTP status; 0 where the connection broke. */
  readonly status: number;
  readonly retryAfter: boolean;
  readonly ms: number;
}

/** A shot as it comes from the process that made it. */
export type ShotTuple = [sentAt: number, status: number, retryAfter: boolean, ms: number];

const SCRIPT = join('test', 'fault', 'driver', 'open-loop-process.ts');

/** Sends requests at a fixed rate from a process of its own. Resolves with every shot when the last one is answered. */
export async function openLoop(plan: LoopPlan): Promise<Shot[]> {
  const child = spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  child.stdin.end(JSON.stringify(plan));
  const output = await text(child.stdout);
  await ended;
  const shots = JSON.parse(output) as ShotTuple[];
  return shots.map(([sentAt, status, retryAfter, ms]) => ({ sentAt, status, retryAfter, ms }));
}

/** The time that all but the slowest `1 - share` stay under. */
export function quantile(shots: readonly Shot[], share: number): number {
  const sorted = shots.map(({ ms }) => ms).sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

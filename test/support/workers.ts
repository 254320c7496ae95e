import { readFileSync } from 'node:fs';
import type { Service } from './service.js';

/** The workers of a service, by their process (Linux). */
export function workersOf({ process: { pid } }: Pick<Service, 'process'>): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** The process of one of them, by its number: one that was started again stands behind the others. */
export function workerOf(service: Pick<Service, 'process'>, number: number): number {
  const isIt = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`"worker":${number},`);
  return workersOf(service).find(isIt)!;
}

export function isRunning(pid: number): boolean {
  try {
    // The process may have ended and wait for its parent.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasCode } from './errors.ts';

/** The system user a program runs as; without numbers: the user of this process. */
export interface SystemUser {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * What every child sees: nothing of the caller's environment (PGOPTIONS, TZ, LC_ALL … would change what the server
 * does), messages in English because some are read here.
 */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

export interface Finished {
  /** Exit code; null when the program could not be started or was killed. */
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end, as that user, from `/` (the caller's own folder may be closed to that user). */
export async function run(program: string, args: readonly string[], user: SystemUser = {}): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...user,
      cwd: '/',
      env: CHILD_ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => (output += chunk.toString('utf8'));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output: output.trim() }));
  });
}

/** True if a process with this id exists and has not ended; one that waits to be reaped (a zombie) has ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!hasCode(error, 'EPERM')) return false;
  }
  return !['Z', 'X'].includes(statOf(pid)[0] ?? '');
}

/**
 * When the process began, in the kernel's ticks: tells a process from a later one with the same id, which is common
 * in containers. Empty where there is no /proc.
 */
export function startOf(pid: number): string {
  return statOf(pid)[19] ?? '';
}

/** The fields of /proc/<pid>/stat from the third on (proc_pid_stat(5)); the second may hold spaces and brackets. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

import { spawn } from 'node:child_process';
import { inherited, SETTINGS } from './service.js';

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built CLI as a process of its own. */
export async function runLedger(
  args: readonly string[],
  env: Record<string, string>,
  nodeArgs: readonly string[] = [],
): Promise<CliResult> {
  const child = spawn(process.execPath, [...nodeArgs, 'dist/cli.js', ...args], {
    env: { ...inherited(), ...SETTINGS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? -1)));
  return { code, stdout, stderr };
}

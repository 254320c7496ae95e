import { spawn } from 'node:child_process';
import type { TestDatabase } from './database.js';
import { inherited, SETTINGS } from './service.js';

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Room for young objects at once, as a service of a test has: hundreds of commands are run. */
const QUICK_START = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

/** Runs the built CLI as a process of its own. */
export async function runLedger(
  args: readonly string[],
  env: Record<string, string>,
  nodeArgs: readonly string[] = [],
): Promise<CliResult> {
  const child = spawn(process.execPath, [...QUICK_START, ...nodeArgs, 'dist/cli.js', ...args], {
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

export interface Divergence {
  readonly check: string;
  readonly subject: string | null;
  readonly field: string;
}

/** What `verify` finds in a ledger. */
export async function divergences({ url }: TestDatabase, ...flags: readonly string[]): Promise<Divergence[]> {
  const { stdout } = await runLedger(['verify', '--json', ...flags], { DATABASE_URL: url });
  return JSON.parse(stdout).divergences;
}

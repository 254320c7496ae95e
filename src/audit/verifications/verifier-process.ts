import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { programFile } from '../../platform/program-file.js';
import type { StoredReport } from './verification-run.js';

/** The result of a verification: its report, or why there is none. */
export type VerifierResult = { readonly report: StoredReport } | { readonly fault: string };

export interface RunningVerifier {
  readonly result: Promise<VerifierResult>;
  stop(): void;
}

/** The flags of the npm script `ledger`: a small heap keeps the memory flat. */
const FLAGS = ['--max-old-space-size=160', '--max-semi-space-size=16'];
/** Exit codes of `ledger verify` with a report: no divergence, and some. */
const WITH_REPORT = [0, 1];
const STDERR_BYTES = 2_000;

/**
 * Runs `ledger verify` in a process of its own, with this one's settings: reading the whole ledger takes memory
 * and processor time, which must not delay the service's answers.
 * @param onProgress called with the events examined and their total, in decimal text
 */
export function startVerifier(onProgress: (done: string, total: string) => void): RunningVerifier {
  const child = spawn(process.execPath, [...FLAGS, programFile('cli.js'), 'verify', '--json', '--progress'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let messages = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    const progress = parseProgress(line);
    if (progress) onProgress(progress.done, progress.total);
    else messages = `${messages}${line}\n`.slice(-STDERR_BYTES);
  });
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? `ended by ${signal}`));
  });
  const result = Promise.all([text(child.stdout), ended]).then(([output, code]): VerifierResult => {
    if (typeof code === 'number' && WITH_REPORT.includes(code)) return { report: JSON.parse(output) as StoredReport };
    return { fault: messages.trim() || String(code) };
  });
  return { result, stop: () => void child.kill('SIGTERM') };
}

function parseProgress(line: string): { readonly done: string; readonly total: string } | undefined {
  return /^\{"done":"\d+","total":"\d+"\}$/.test(line)
    ? (JSON.parse(line) as { done: string; total: string })
    : undefined;
}

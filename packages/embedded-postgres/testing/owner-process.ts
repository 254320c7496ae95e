import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const PACKAGE = resolve(import.meta.dirname, '..');

export interface Started {
  readonly url?: string;
  readonly error?: string;
  readonly message?: string;
}

export interface OwnerProcess {
  readonly child: ChildProcess;
  /** What the process said first: the URL, or why there is none. */
  readonly started: Promise<Started>;
  /** Asks it to stop its server and end; resolves to its exit code. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

export interface OwnerOptions {
  readonly settings?: Record<string, string>;
  /** Another copy of this package, whose programs the process shall run. */
  readonly from?: string;
  readonly node?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** A program that runs the process, with its arguments. */
  readonly under?: readonly string[];
}

/** Owns the server of a data folder in a process of its own, which a test may kill. */
export function ownerProcess(dataDir: string, options: OwnerOptions = {}): OwnerProcess {
  const { settings = {}, from = PACKAGE, node = process.execPath, under = [], uid, gid } = options;
  const [program, ...args] = [...under, node, join(from, 'testing/run-owner.ts'), dataDir, JSON.stringify(settings)];
  const child = spawn(program, args, {
    uid,
    gid,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const firstLine = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const ended = closed.then(() => {
    throw new Error(`the process ended without a word: ${complaint}`);
  });
  const started = Promise.race([firstLine.then(([line]) => JSON.parse(line) as Started), ended]);
  // A test that kills the process has no interest in its first words.
  started.catch(() => undefined);
  return {
    child,
    started,
    async stop() {
      child.stdin.end();
      return (await closed)[0];
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

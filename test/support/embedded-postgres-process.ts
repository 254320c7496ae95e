import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const CHECKOUT = resolve(import.meta.dirname, '../..');

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
  readonly checkout?: string;
  readonly node?: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** Runs `run-embedded-postgres.ts` of a checkout in a process of its own. */
export function ownerProcess(dataDir: string, options: OwnerOptions = {}): OwnerProcess {
  const { settings = {}, checkout = CHECKOUT, node = process.execPath, uid, gid } = options;
  const support = join(checkout, 'test/support');
  const child = spawn(
    node,
    ['--import', join(support, 'ts-loader.mjs'), join(support, 'run-embedded-postgres.ts'), dataDir].concat(
      JSON.stringify(settings),
    ),
    { uid, gid, cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'pipe'] },
  );
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

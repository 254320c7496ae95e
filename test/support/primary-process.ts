import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';

/**
 * The built primary process over workers that do nothing but answer it, whose parent can take from it what a start of
 * a process needs. Run by Node itself, types stripped; as a worker, too.
 */
const { answerBeats, Primary } = (await import(
  new URL('../../dist/src/platform/workers/primary.js', import.meta.url).href
)) as typeof import('../../src/platform/workers/primary.js');

/** More than a beat's pause. */
const HELD_UP_MS = 1_200;
const say = (line: string) => process.stdout.write(`${line}\n`);

if (cluster.isWorker) {
  answerBeats();
  process.on('message', ({ serving }: { serving?: number[] }) => {
    if (serving) say(`${process.pid} knows ${serving.join()}`);
  });
  if (process.env.HANGING) process.kill(process.pid, 'SIGSTOP');
  process.send!({ serving: true });
} else {
  const { execPath } = process;
  const environment: Record<string, string> = {};
  const lack = (what: unknown) => {
    process.execPath = what === 'program' ? '/nowhere/node' : execPath;
    // Beyond what Linux takes as one variable.
    if (what === 'room') environment.TOO_LONG = 'x'.repeat(4 * 1024 ** 2);
    else delete environment.TOO_LONG;
  };
  process.on('message', ({ lacking, kill, hanging }: { lacking?: string; kill?: number; hanging?: boolean }) => {
    if (lacking !== undefined) lack(lacking);
    if (hanging) environment.HANGING = 'yes';
    if (hanging === false) delete environment.HANGING;
    // The timers come next, the beat among them, and only then what the system has to tell: of the end, for one.
    if (kill) setImmediate(() => killUnnoticed(kill));
  });
  if (process.env.LACKING) cluster.once('fork', () => lack(process.env.LACKING));
  if (process.env.LACKING_AT_ONCE) lack(process.env.LACKING_AT_ONCE);
  const workers = Number(process.env.WORKERS);
  const starting = Primary.start(workers, environment, process.execArgv, pino({ base: null }));
  const primary = await starting.catch((error: Error) => {
    say(error.message);
    process.exit(1);
  });
  process.once('SIGTERM', () => void primary.stop().then(() => process.exit(0)));
  say('all serve');
}

/** Ends a worker, and holds this process up until the worker has ended and the next beat is due. */
function killUnnoticed(pid: number): void {
  const from = performance.now();
  process.kill(pid, 'SIGKILL');
  const hasEnded = () => /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  while (!hasEnded() || performance.now() - from < HELD_UP_MS);
}

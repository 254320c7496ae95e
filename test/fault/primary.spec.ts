import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { inherited } from '../support/service.js';
import { isRunning, workersOf } from '../support/workers.js';

/**
 * What the primary process does when the system makes no process for a worker, or loses a message to one (ADR 0033).
 */

let primary: ChildProcess;
let output: string;

const begin = (env: Record<string, string>) => {
  output = '';
  primary = fork(new URL('../support/primary-process.ts', import.meta.url), {
    env: { ...inherited(), ...env },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    silent: true,
  });
  primary.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  primary.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()));
};
const hasEnded = () => primary.exitCode !== null || primary.signalCode !== null;
const times = (what: RegExp) => output.match(new RegExp(what, 'g'))?.length ?? 0;
/** The workers, when there are two that both know that both serve. */
const bothServe = () => {
  const pids = workersOf({ process: primary });
  return pids.length === 2 && pids.every((pid) => new RegExp(`^${pid} knows 0,1$`, 'm').test(output)) && pids;
};

afterEach(() => void primary.kill('SIGKILL'));

/** By which a start fails: the first kind is thrown, the second comes as an event. */
const LACKS = [
  { lacking: 'room', code: 'E2BIG' },
  { lacking: 'program', code: 'ENOENT' },
];

describe('a primary process of two workers', () => {
  const start = async () => {
    begin({ WORKERS: '2' });
    return eventually(() => (hasEnded() ? Promise.reject(new Error(output)) : bothServe()));
  };

  it.each(LACKS)('lives on when a worker cannot be started again, and tries until it can: $code', async (lack) => {
    const [first, second] = (await start()) as [number, number];
    primary.send({ lacking: lack.lacking });
    process.kill(first, 'SIGKILL');
    const notStarted = new RegExp(`${lack.code}.*a worker could not be started`);
    await eventually(() => hasEnded() || times(notStarted) > 1);
    expect(hasEnded()).toBe(false);
    expect(workersOf({ process: primary })).toEqual([second]);
    primary.send({ lacking: '' });
    expect(await eventually(bothServe)).toContain(second);
    expect(times(/a worker ended/)).toBe(times(/a worker could not be started/) + 1);
  });

  it('ends a worker that hangs before it serves, and starts it again', async () => {
    const [first, second] = (await start()) as [number, number];
    primary.send({ hanging: true });
    process.kill(first, 'SIGKILL');
    const isOther = (pid: number) => pid !== first && pid !== second;
    const hanging = await eventually(() => workersOf({ process: primary }).find(isOther));
    primary.send({ hanging: false });
    await eventually(() => !isRunning(hanging), { within: 50_000 });
    expect(await eventually(bothServe)).toContain(second);
  }, 90_000);

  it('stops in order while a worker cannot be started', async () => {
    const [first, second] = (await start()) as [number, number];
    primary.send({ lacking: 'program' });
    process.kill(first, 'SIGKILL');
    await eventually(() => hasEnded() || times(/a worker could not be started/) > 0);
    primary.kill('SIGTERM');
    await eventually(hasEnded);
    expect(primary.exitCode).toBe(0);
    expect(isRunning(second)).toBe(false);
  });

  it('lives on when it sends to a worker of whose end it does not know yet', async () => {
    const [first, second] = (await start()) as [number, number];
    primary.send({ kill: first });
    await eventually(() => hasEnded() || times(/EPIPE.*a worker could not be reached/) > 0);
    expect(hasEnded()).toBe(false);
    // Until the primary has heard of its end, the first stands among them.
    const both = () => !workersOf({ process: primary }).includes(first) && bothServe();
    expect(await eventually(both)).toContain(second);
    expect(times(/a worker ended/)).toBe(1);
  });
});

describe('a start for which no process can be made', () => {
  it.each(LACKS)('fails, and says why: $code', async ({ lacking, code }) => {
    begin({ WORKERS: '2', LACKING_AT_ONCE: lacking });
    await once(primary, 'close');
    expect(primary.exitCode).toBe(1);
    expect(output).toMatch(new RegExp(`${code}.*a worker could not be started`));
    expect(output).toMatch(/^worker 0 ended before it served$/m);
  });

  it.each(LACKS)('ends the worker that was started before: $code', async ({ lacking }) => {
    begin({ WORKERS: '3', LACKING: lacking });
    await once(primary, 'close');
    expect(primary.exitCode).toBe(1);
    expect(output).toMatch(/^worker 1 ended before it served$/m);
    expect(times(/a worker could not be started/)).toBe(2);
    expect(times(/a worker ended/)).toBe(0);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

const TICK_MS = 10;

/** Milliseconds of processor time that a process has used (Linux; 0 where it cannot be read). */
export function cpuOf(pid: number): number {
  return cpuAt(`/proc/${pid}/stat`);
}

/** The same of one of its threads; the main one has the number of the process. */
export function cpuOfThread(pid: number, thread: number): number {
  return cpuAt(`/proc/${pid}/task/${thread}/stat`);
}

function cpuAt(stat: string): number {
  try {
    const fields = readFileSync(stat, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}

/** Peak resident memory of a process, in megabytes. */
export function peakMemoryOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Milliseconds that the whole machine was busy. */
export function cpuOfMachine(): number {
  const ticks = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = ticks;
  return (user + nice + system + irq + softirq) * TICK_MS;
}

const parentOf = (pid: number) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]);

/** Processor time of the database server's processes; for ended ones the last value read. */
export async function serverCpu(url: string): Promise<() => number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  let postmaster = 0;
  try {
    postmaster = parentOf(rows[0]!.pid);
  } catch {
    // The server is on another machine: its time is not known here.
  }
  await client.end();
  const isServers = (pid: number) => {
    try {
      return pid === postmaster || parentOf(pid) === postmaster;
    } catch {
      return false;
    }
  };
  const used = new Map<number, number>();
  return () => {
    if (postmaster === 0) return 0;
    const running = readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && isServers(pid));
    for (const pid of running) used.set(pid, cpuOf(pid));
    return [...used.values()].reduce((sum, ms) => sum + ms, 0);
  };
}

/** A service's process, and its workers if it has any. */
export function withWorkers(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return [pid, ...children.map(Number)];
  } catch {
    return [pid];
  }
}

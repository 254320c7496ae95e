import { stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresFailed, hasCode } from './errors.ts';
import { readIfThere } from './files.ts';
import { isAlive } from './processes.ts';

/** A running server, as its `postmaster.pid` tells. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** `starting`, `ready`, `stopping`; empty in the first moments. */
  readonly status: string;
}

const POLL_MS = 25;
const FAST_STOP_MS = 60_000;
const HARD_STOP_MS = 10_000;
/** Above every kernel's highest process id. */
const NO_SUCH_PID = 2_147_483_647;

const pidFile = (cluster: string) => join(cluster, 'postmaster.pid');

/** The server that runs on this cluster now, if one does. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const postmaster = await readPidFile(cluster);
  return postmaster && (await runsOn(cluster, postmaster.pid)) ? postmaster : undefined;
}

/**
 * Stops a server: connections are cut, open transactions rolled back, everything is written out. SIGINT is what
 * `pg_ctl stop -m fast` sends (PostgreSQL manual, "Shutting Down the Server"); sent here, no other user's rights and
 * no confusion with a server that is started right after are involved.
 * @throws EmbeddedPostgresFailed if it does not end even when told to drop everything.
 */
export async function stopPostmaster(cluster: string, { pid }: Postmaster): Promise<void> {
  await signal(cluster, pid, 'SIGINT');
  if (await isGone(cluster, pid, FAST_STOP_MS)) return;
  await signal(cluster, pid, 'SIGQUIT');
  if (await isGone(cluster, pid, HARD_STOP_MS)) return;
  throw new EmbeddedPostgresFailed(`the server (pid ${pid}) does not stop`);
}

/**
 * Prepares for a start after a crash. PostgreSQL itself sees through a stale `postmaster.pid`, except when the process
 * id has gone to another program, is a zombie's (in a container nobody may reap a killed server), or the file was left
 * empty. The id alone is overwritten, so that PostgreSQL's own search for surviving children by shared memory (the
 * file's last lines) still takes place.
 */
export async function clearStalePidFile(cluster: string): Promise<void> {
  const text = await readIfThere(pidFile(cluster));
  if (text === undefined) return;
  const pid = parseInt(text);
  if (!(pid > 0)) await unlink(pidFile(cluster));
  else if (!(await runsOn(cluster, pid))) {
    await writeFile(pidFile(cluster), text.replace(/^\d+/, String(NO_SUCH_PID)), { flag: 'r+' });
  }
}

/** postmaster.pid (PostgreSQL source, miscadmin.h): 1 pid, 2 folder, 3 start time, 4 port, …, 8 status. */
async function readPidFile(cluster: string): Promise<Postmaster | undefined> {
  const lines = ((await readIfThere(pidFile(cluster))) ?? '').split('\n');
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() } : undefined;
}

/** A server works inside its cluster; a process with its id that does not is another program with a reused id. */
async function runsOn(cluster: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  try {
    const [place, wanted] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)]);
    return place.dev === wanted.dev && place.ino === wanted.ino;
  } catch (error) {
    // Without /proc (macOS) the living id must do.
    if (process.platform !== 'linux') return true;
    // Root without CAP_SYS_PTRACE, as in most containers, may not look into a process of the server's user.
    return hasCode(error, 'EACCES') && (await wasStartedOn(cluster, pid));
  }
}

/** By its arguments, which everyone may read. */
async function wasStartedOn(cluster: string, pid: number): Promise<boolean> {
  const args = ((await readIfThere(`/proc/${pid}/cmdline`)) ?? '').split('\0');
  return args.includes('-D') && args[args.indexOf('-D') + 1] === cluster;
}

async function signal(cluster: string, pid: number, name: NodeJS.Signals): Promise<void> {
  if (!(await runsOn(cluster, pid))) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

async function isGone(cluster: string, pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (await runsOn(cluster, pid)) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

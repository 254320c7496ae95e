import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { ClusterPlace } from './cluster-place.ts';
import { logFile, readState, writeState } from './data-dir.ts';
import { EmbeddedPostgresFailed } from './errors.ts';
import { freePort } from './port.ts';
import { clearStalePidFile, findPostmaster, type Postmaster } from './postmaster.ts';
import { CHILD_ENVIRONMENT } from './processes.ts';
import { openLog, type OpenLog } from './server-log.ts';
import { asArguments } from './settings.ts';

/** What is needed to run a server on a data folder. */
export interface Launch {
  readonly dataDir: string;
  readonly place: ClusterPlace;
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
}

/** Recovery after a crash can take minutes; a server that lives is waited for. */
const READY_WITHIN_MS = 300_000;
const POLL_MS = 25;
/**
 * Transient errors: another program took the free port faster, or children of a killed server have not noticed yet that
 * it is gone ("pre-existing shared memory block … is still in use").
 */
const TRANSIENT = /could not create any TCP\/IP sockets|is still in use/;
const RETRY_WITHIN_MS = 10_000;
const RETRY_MS = 200;

/**
 * Starts the server, in a session of its own: neither a signal to this process's group nor its SIGKILL reaches it.
 * @throws EmbeddedPostgresFailed with the end of its log if it does not come up.
 */
export async function launch(what: Launch): Promise<Postmaster> {
  const { port } = await readState(what.dataDir);
  const deadline = performance.now() + RETRY_WITHIN_MS;
  for (;;) {
    await clearStalePidFile(what.place.folder);
    try {
      return await launchOnce(what, port);
    } catch (error) {
      if (!(error instanceof EmbeddedPostgresFailed && TRANSIENT.test(error.logTail)) || performance.now() > deadline)
        throw error;
      await delay(RETRY_MS);
    }
  }
}

async function launchOnce(what: Launch, lastPort: number | undefined): Promise<Postmaster> {
  const { dataDir, place, binaries, settings } = what;
  const port = await freePort(lastPort);
  const { cluster } = await readState(dataDir);
  await writeState(dataDir, { cluster, port, startedWith: { version: binaries.version, settings } });
  const log = await openLog(logFile(dataDir));
  try {
    const child = spawn(binaries.postgres, ['-D', place.folder, '-p', String(port), ...asArguments(settings)], {
      ...place.user,
      cwd: '/',
      env: CHILD_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    child.unref();
    return await untilReady(place.folder, log, child);
  } finally {
    await log.close();
  }
}

/** Waits for a server found on its way up or down; undefined once it is gone. */
export async function untilSettled(cluster: string): Promise<Postmaster | undefined> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const postmaster = await findPostmaster(cluster);
    if (postmaster === undefined || postmaster.status === 'ready') return postmaster;
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresFailed(`the server (pid ${postmaster.pid}) is still ${postmaster.status}`);
    }
    await delay(POLL_MS);
  }
}

/**
 * Whichever server comes up on the cluster is the one: a start that was killed a moment ago may have left one that
 * was only about to write its postmaster.pid, and PostgreSQL lets one of the two live.
 */
async function untilReady(cluster: string, log: OpenLog, child: ChildProcess): Promise<Postmaster> {
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    const ended = failure !== undefined || child.exitCode !== null || child.signalCode !== null;
    const postmaster = await findPostmaster(cluster);
    if (postmaster?.status === 'ready') return postmaster;
    if (ended && postmaster === undefined) {
      throw new EmbeddedPostgresFailed('the server did not start', await log.tail(), { cause: failure });
    }
    await delay(POLL_MS);
  }
  throw new EmbeddedPostgresFailed('the server is not ready yet', await log.tail());
}

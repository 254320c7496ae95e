import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { maintenanceUrlOf } from './connect.ts';
import { readState } from './data-dir.ts';
import { DataDirInUse } from './errors.ts';
import { untilSettled, type Launch } from './launch.ts';
import { Ownership } from './ownership.ts';
import { findPostmaster, stopPostmaster, type Postmaster } from './postmaster.ts';

const ANSWERS_WITHIN_MS = 15_000;
const POLL_MS = 100;

/** A running server that this process owns. */
export interface Owned {
  readonly postmaster: Postmaster;
  readonly ownership: Ownership;
}

/** The server that a former owner left running; undefined if there is none, or it had to be stopped. */
export async function takeOver(what: Launch, log: (message: string) => void): Promise<Owned | undefined> {
  const { dataDir, place, binaries, settings } = what;
  const running = await claimRunning(what, log);
  if (running === undefined) return undefined;
  const { postmaster, ownership } = running;
  const { startedWith } = await readState(dataDir);
  if (isDeepStrictEqual(startedWith, { version: binaries.version, settings })) {
    log(`taking over the server (pid ${postmaster.pid}) that an earlier process left running`);
    return { postmaster, ownership };
  }
  log(`restarting the server (pid ${postmaster.pid}) that an earlier process left running with other settings`);
  await stopOwned(place.folder, ownership);
  return undefined;
}

/**
 * A server that does not let us in is either about to stop, which is waited for, or of no use to anyone: then it is
 * stopped.
 */
async function claimRunning({ dataDir, place }: Launch, log: (message: string) => void): Promise<Owned | undefined> {
  const deadline = performance.now() + ANSWERS_WITHIN_MS;
  for (;;) {
    const postmaster = await untilSettled(place.folder);
    if (postmaster === undefined) return undefined;
    try {
      const ownership = await Ownership.claim(await maintenanceUrlOf(place.folder, postmaster.port), dataDir);
      return { postmaster, ownership };
    } catch (error) {
      if (error instanceof DataDirInUse) throw error;
      if (performance.now() > deadline) {
        log(`restarting the server (pid ${postmaster.pid}) that an earlier process left running: ${String(error)}`);
        await stopPostmaster(place.folder, postmaster);
        return undefined;
      }
      await delay(POLL_MS);
    }
  }
}

/** The lock is kept until the server itself drops it, so that nobody takes over what is about to stop. */
export async function stopOwned(cluster: string, ownership: Ownership): Promise<void> {
  const ours = await ownership.prepareStop();
  const postmaster = await findPostmaster(cluster);
  if (ours && postmaster) await stopPostmaster(cluster, postmaster);
  await ownership.release();
}

import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readState, writeState } from './data-dir.ts';
import { hasCode } from './errors.ts';
import { readIfThere, replaceFile } from './files.ts';
import { findPostmaster, stopPostmaster } from './postmaster.ts';
import type { SystemUser } from './processes.ts';

/**
 * Clusters of data folders that the server's user cannot enter. `<random id>/postgres` is the cluster, `<random
 * id>/owner` names the data folder, whose state points back here. Only root makes and removes them.
 */
const OUTSIDE = '/var/lib/partner-payments';

const ownerFile = (cluster: string) => join(dirname(cluster), 'owner');

export function newOutsideCluster(): string {
  return join(OUTSIDE, randomBytes(8).toString('hex'), 'postgres');
}

/** Makes the folder around an outside cluster; one that a killed start left half-made is completed. */
export async function prepareOutsideFolder(cluster: string, dataDir: string, user: SystemUser): Promise<void> {
  const folder = dirname(cluster);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Ours, and only passed through: the folders in it are closed to all but their server's user.
  await chmod(OUTSIDE, 0o755);
  await chown(folder, user.uid!, user.gid!);
  await replaceFile(ownerFile(cluster), await realpath(dataDir));
}

/**
 * After a data folder was moved, its outside cluster learns the new path. After it was copied there would be two data
 * folders on one cluster: the copy forgets the pointer and gets a new, empty cluster.
 */
export async function adoptOutsideFolder(dataDir: string, log: (message: string) => void): Promise<void> {
  const { cluster, ...rest } = await readState(dataDir);
  if (cluster === undefined) return;
  const owner = await readIfThere(ownerFile(cluster));
  const self = await realpath(dataDir);
  if (owner === undefined || owner === self) return;
  if (await pointsTo(owner, cluster)) {
    log(`${dataDir} is a copy of ${owner}, whose database stays with the original: starting with an empty one`);
    await writeState(dataDir, rest);
  } else {
    await replaceFile(ownerFile(cluster), self);
  }
}

/** Removes clusters whose data folder is gone or points elsewhere; a server that still runs on one is stopped first. */
export async function removeOrphans(log: (message: string) => void): Promise<void> {
  for (const id of await listOutside()) {
    const cluster = join(OUTSIDE, id, 'postgres');
    const owner = await readIfThere(ownerFile(cluster));
    if (owner === undefined || (await pointsTo(owner, cluster))) continue;
    log(`removing ${dirname(cluster)}: its data folder ${owner} is gone`);
    const postmaster = await findPostmaster(cluster);
    if (postmaster) await stopPostmaster(cluster, postmaster);
    await rm(dirname(cluster), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** When in doubt (a state that cannot be read) it does: what is removed here is someone's database. */
async function pointsTo(dataDir: string, cluster: string): Promise<boolean> {
  try {
    return (await readState(dataDir)).cluster === cluster;
  } catch {
    return true;
  }
}

async function listOutside(): Promise<string[]> {
  try {
    return await readdir(OUTSIDE);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

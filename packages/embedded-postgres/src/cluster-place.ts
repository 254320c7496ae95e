import { chown, mkdir, rm, stat } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { belongsTo, clusterOf, readState, writeState } from './data-dir.ts';
import { DataDirUnusable, hasCode } from './errors.ts';
import { isThere } from './files.ts';
import { adoptOutsideFolder, newOutsideCluster, prepareOutsideFolder, removeOrphans } from './outside-folder.ts';
import { run, type SystemUser } from './processes.ts';
import { newServerUser, ownerOf } from './server-user.ts';

/** Where a data folder's cluster is or shall be, and which user its server runs as. */
export interface ClusterPlace {
  /** PostgreSQL's data folder (PGDATA). */
  readonly folder: string;
  readonly user: SystemUser;
  readonly exists: boolean;
}

/**
 * Finds the cluster of a data folder, or the place for a new one: inside the data folder where the server's user can
 * work there, otherwise outside, with a pointer in the data folder. Permissions of existing folders stay as they are.
 * @throws DataDirUnusable if the cluster belongs to another user, or its own user can no longer enter it.
 */
export async function placeCluster(dataDir: string, log: (message: string) => void): Promise<ClusterPlace> {
  await adoptOutsideFolder(dataDir, log);
  const folder = await clusterOf(dataDir);
  if (await isThere(join(folder, 'PG_VERSION'))) return existingCluster(dataDir, folder);

  const user = await newServerUser(log);
  if (user.uid === undefined) return { folder, user, exists: false };
  await removeOrphans(log);
  const { cluster: pointer } = await readState(dataDir);
  if (pointer === undefined && (await canWorkIn(dataDir, user))) return { folder, user, exists: false };
  const outside = pointer ?? newOutsideCluster();
  log(`the database server's user cannot use ${dataDir}: its cluster goes to ${outside}`);
  // The pointer first: a folder that no data folder points to counts as an orphan.
  await writeState(dataDir, { cluster: outside });
  await prepareOutsideFolder(outside, dataDir, user);
  return { folder: outside, user, exists: false };
}

async function existingCluster(dataDir: string, folder: string): Promise<ClusterPlace> {
  const { uid } = await stat(folder);
  const own = process.getuid?.();
  if (own !== 0 && uid !== own) throw new DataDirUnusable(dataDir, `its cluster ${folder}: ${belongsTo(uid)}`);
  const user = await ownerOf(folder);
  if (await ownsAndWrites(folder, user)) return { folder, user, exists: true };
  const remedy = 'open the folders above it to that user, move it, or remove it';
  throw new DataDirUnusable(dataDir, `user ${uid}, whose server ran on it, cannot enter ${folder}: ${remedy}`);
}

/** Tried out with a folder of the user's own: permissions, ACLs and mounts that refuse chown all show in that. */
async function canWorkIn(folder: string, user: SystemUser): Promise<boolean> {
  const probe = join(folder, `postgres.probe-${randomBytes(6).toString('hex')}`);
  await mkdir(probe, { mode: 0o700 });
  try {
    await chown(probe, user.uid!, user.gid!);
    return await ownsAndWrites(probe, user);
  } catch (error) {
    if (hasCode(error, 'EPERM', 'EINVAL')) return false;
    throw error;
  } finally {
    await rm(probe, { recursive: true });
  }
}

async function ownsAndWrites(folder: string, user: SystemUser): Promise<boolean> {
  const { code } = await run('/bin/sh', ['-c', 'test -O "$1" && test -w "$1" && test -x "$1"', 'sh', folder], user);
  return code === 0;
}

import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { ClusterPlace } from './cluster-place.ts';
import { DataDirUnusable, EmbeddedPostgresFailed, hasCode } from './errors.ts';
import { readIfThere } from './files.ts';
import { run } from './processes.ts';

const BUILDING = 'postgres.building-';

/** The database's superuser; its password is random and lies inside the cluster, closed to all but the owner. */
export const SUPERUSER = 'postgres';
const passwordFile = (cluster: string) => join(cluster, 'superuser.password');

export async function superuserPassword(cluster: string): Promise<string> {
  const password = await readIfThere(passwordFile(cluster));
  if (password !== undefined) return password.trim();
  throw new EmbeddedPostgresFailed(`${passwordFile(cluster)} is missing: ${cluster} was not made by this service`);
}

/**
 * Makes a new cluster: UTF-8, sorted by code point on every machine alike, no access without the password. It is
 * built under another name and renamed when whole, password included, so that a kill half-way leaves nothing that a
 * later start could mistake for a cluster.
 */
export async function createCluster(dataDir: string, place: ClusterPlace, { initdb }: Binaries): Promise<void> {
  const parent = dirname(place.folder);
  const building = join(parent, `${BUILDING}${randomBytes(6).toString('hex')}`);
  const [data, password] = [join(building, 'data'), join(building, 'password')];
  await mkdir(building, { mode: 0o700 });
  try {
    await writeFile(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    for (const path of [password, building]) await handOver(path, place);
    const { code, output } = await run(initdb, initdbArguments(data, password), place.user);
    if (code !== 0) throw new EmbeddedPostgresFailed('initdb failed', output);
    await rename(password, passwordFile(data));
    await rename(data, place.folder);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw error;
    throw new DataDirUnusable(dataDir, `${place.folder} holds other things than a PostgreSQL cluster`, {
      cause: error,
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** @throws DataDirUnusable if another major version made the cluster: PostgreSQL cannot read it then. */
export async function assertSameMajor(dataDir: string, { folder }: ClusterPlace, { version }: Binaries): Promise<void> {
  const made = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  const major = version.split('.')[0];
  if (made === major) return;
  const remedy = `dump it with PostgreSQL ${made} and load it into a new DATA_DIR, or remove it`;
  throw new DataDirUnusable(dataDir, `its cluster was made by PostgreSQL ${made}, this is ${version}: ${remedy}`);
}

function initdbArguments(data: string, password: string): string[] {
  return [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    // More iterations protect passwords that can be guessed, and take milliseconds of each connection's start. This one
    // is random.
    '--set=scram_iterations=1',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
}

async function handOver(path: string, { user }: ClusterPlace): Promise<void> {
  if (user.uid !== undefined && user.gid !== undefined) await chown(path, user.uid, user.gid);
}

/**
 * Removes what killed starts have left half-made. An initdb that outlived its parent may still write there: then a
 * later start removes the rest.
 */
export async function removeHalfMade({ folder }: ClusterPlace): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(BUILDING)) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

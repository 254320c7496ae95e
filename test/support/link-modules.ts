import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The packages of this repository. */
const OWN = '@partner-payments';

/** Gives a copy of the sources what is installed here; the packages of this repository are the copy's own. */
export async function linkModules(copy: string): Promise<void> {
  const modules = join(copy, 'node_modules');
  await mkdir(join(modules, OWN), { recursive: true });
  for (const name of await readdir('node_modules')) {
    if (name !== OWN) await symlink(resolve('node_modules', name), join(modules, name));
  }
  for (const name of await readdir(join('node_modules', OWN))) {
    await symlink(join(copy, 'packages', name), join(modules, OWN, name));
  }
}

import { stat } from 'node:fs/promises';
import { EmbeddedPostgresFailed } from './errors.ts';
import { readIfThere } from './files.ts';
import { run, type SystemUser } from './processes.ts';

/** Under macOS system accounts begin with an underscore. */
const PREFERRED = ['postgres', '_postgres'];

/**
 * The ways to make a system account: shadow (most distributions; its group may be there already), Debian's adduser,
 * BusyBox (Alpine). First that works.
 */
const CREATIONS: readonly (readonly string[])[] = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
  ['useradd', '--system', '--gid', 'postgres', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
  ['adduser', '--system', '--group', '--no-create-home', '--quiet', 'postgres'],
  ['adduser', '-S', '-D', '-H', 'postgres'],
];

/**
 * The user a new cluster's server runs as. PostgreSQL refuses to run as root, so root takes `postgres`, made if there
 * is none, or `nobody` where none can be made. Everyone else runs it as themselves: an empty answer.
 * @throws EmbeddedPostgresFailed if root has no one to hand over to.
 */
export async function newServerUser(log: (message: string) => void): Promise<SystemUser> {
  if (process.getuid?.() !== 0) return {};
  const existing = await accountOf(PREFERRED);
  if (existing) return existing;
  for (const [program, ...args] of CREATIONS) {
    await run(program!, args);
    const created = await accountOf(PREFERRED);
    if (created) {
      log(`PostgreSQL does not run as root: created the system user postgres for it`);
      return created;
    }
  }
  const nobody = await accountOf(['nobody']);
  if (nobody) return nobody;
  throw new EmbeddedPostgresFailed('it does not run as root, and there is neither a user postgres nor nobody');
}

/** The user that must go on running an existing cluster: the one it belongs to. */
export async function ownerOf(cluster: string): Promise<SystemUser> {
  const { uid, gid } = await stat(cluster);
  return uid === process.getuid?.() ? {} : { uid, gid };
}

/** Read from the file, as `id` and `getent` are missing in small images. passwd(5): name:password:uid:gid:… */
async function accountOf(names: readonly string[]): Promise<SystemUser | undefined> {
  const lines = ((await readIfThere('/etc/passwd')) ?? '').split('\n').map((line) => line.split(':'));
  for (const wanted of names) {
    const found = lines.find(([name, , uid]) => name === wanted && Number(uid) > 0);
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) };
  }
  return undefined;
}

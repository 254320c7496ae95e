import { randomBytes } from 'node:crypto';
import {
  chmod,
  copyFile,
  lchown,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from './errors.ts';

/** The text of a file, or undefined where there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/** Replaces a file whole (mode 0600), so that a kill or a power cut at any moment leaves the old or the new text. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
  await giveToOwnerOfFolder(draft);
  await rename(draft, path);
}

/**
 * What root writes into another user's folder belongs to that user, or their own next start could not read it.
 * Without root's rights nothing needs to change hands.
 */
export async function giveToOwnerOfFolder(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await lchown(path, uid, gid);
}

/**
 * Copies a folder with its symlinks as they are; everything in the copy can be read (and programs run) by all users.
 */
export async function copyForEveryone(from: string, to: string): Promise<void> {
  await mkdir(to);
  // The mode of mkdir passes through the umask, chmod does not.
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyForEveryone(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else {
      await copyFile(source, target);
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

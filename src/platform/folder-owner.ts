import { lchown, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Gives a file that root wrote to the owner of its folder: otherwise that user's next start could not read it. Does
 * nothing without root's rights.
 */
export async function giveToOwnerOfFolder(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await lchown(path, uid, gid);
}

/** Makes a folder and its missing parents; they get the owner of the existing parent. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  const made = [resolve(path)];
  while (made[0] !== resolve(first)) made.unshift(dirname(made[0]!));
  for (const folder of made) await giveToOwnerOfFolder(folder);
}

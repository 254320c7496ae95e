import { lchown, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * What root writes into another user's folder belongs to that user, or their own next start could not read it.
 * Without root's rights nothing needs to change hands.
 */
export async function giveToOwnerOfFolder(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await lchown(path, uid, gid);
}

/** Makes a folder and those above it that are missing; they belong to whom the folder belongs that they are made in. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  const made = [resolve(path)];
  while (made[0] !== resolve(first)) made.unshift(dirname(made[0]!));
  for (const folder of made) await giveToOwnerOfFolder(folder);
}

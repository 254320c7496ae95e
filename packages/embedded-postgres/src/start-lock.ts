import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirInUse, hasCode } from './errors.ts';
import { giveToOwnerOfFolder, isThere } from './files.ts';
import { isAlive, startOf } from './processes.ts';

/** Tells this process from an earlier one with the same id: in a container every run may have the same. */
const SELF = `${process.pid}:${startOf(process.pid)}:${randomUUID()}`;
const FREE = 'free';

interface Ticket {
  readonly number: number;
  /** Process id, its start, a random part; or FREE; undefined before the first. */
  readonly holder: string | undefined;
}

/**
 * Runs work while no other start on that data folder does. The lock is the highest numbered symlink in
 * `postgres.lock/`; its target names the holder. Making a symlink is atomic, fails if the name exists, and carries the
 * holder's name from the first moment on; a dead holder is followed by the next number, which only one can make. The
 * highest is never removed, so that a process with a stale view sees, after making a lower one, that it is too late.
 * @throws DataDirInUse at once if a living process holds it.
 */
export async function withStartLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const folder = join(dataDir, 'postgres.lock');
  const held = await acquire(dataDir, folder);
  try {
    return await work();
  } finally {
    await make(folder, { number: held + 1, holder: FREE });
    await remove(folder, held);
  }
}

async function acquire(dataDir: string, folder: string): Promise<number> {
  if (!(await isThere(folder))) {
    await mkdir(folder, { recursive: true });
    await giveToOwnerOfFolder(folder);
  }
  for (;;) {
    const last = await newest(folder);
    if (isHeld(last)) throw new DataDirInUse(dataDir, Number(last.holder!.split(':')[0]));
    const number = last.number + 1;
    if (!(await make(folder, { number, holder: SELF }))) continue;
    if ((await newest(folder)).number === number) {
      for (const lower of await numbers(folder)) if (lower < number) await remove(folder, lower);
      return number;
    }
    await remove(folder, number);
  }
}

function isHeld({ holder }: Ticket): boolean {
  if (holder === undefined || holder === FREE) return false;
  const [pid, start] = holder.split(':');
  if (Number(pid) === process.pid) return holder === SELF;
  // An empty start: /proc does not show that process, only that it lives is known.
  return isAlive(Number(pid)) && ['', start].includes(startOf(Number(pid)));
}

async function newest(folder: string): Promise<Ticket> {
  for (;;) {
    const number = Math.max(0, ...(await numbers(folder)));
    if (number === 0) return { number, holder: undefined };
    try {
      return { number, holder: await readlink(join(folder, String(number))) };
    } catch (error) {
      // Its holder has moved on between the two reads.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
}

async function numbers(folder: string): Promise<number[]> {
  return (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number);
}

/** False if someone else has made that number. */
async function make(folder: string, { number, holder }: Ticket): Promise<boolean> {
  try {
    await symlink(holder!, join(folder, String(number)));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function remove(folder: string, number: number): Promise<void> {
  await rm(join(folder, String(number)), { force: true });
}

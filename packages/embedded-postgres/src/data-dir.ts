import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirUnusable, hasCode } from './errors.ts';
import { readIfThere, replaceFile } from './files.ts';

/** What a data folder remembers between starts (`postgres.json`). */
export interface DataDirState {
  /** Where the cluster is, if the server's user cannot enter the data folder. */
  readonly cluster?: string;
  /** The port of the last start, tried first by the next one so that saved addresses stay good. */
  readonly port?: number;
  /** What the last server was started with: a server found running with anything else is restarted. */
  readonly startedWith?: { readonly version: string; readonly settings: Readonly<Record<string, string>> };
}

const stateFile = (dataDir: string) => join(dataDir, 'postgres.json');

export const logFile = (dataDir: string) => join(dataDir, 'postgres.log');

export async function readState(dataDir: string): Promise<DataDirState> {
  const text = await readIfThere(stateFile(dataDir));
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as DataDirState;
  } catch (error) {
    // Guessing here could start an empty database beside the one the file points to.
    throw new DataDirUnusable(dataDir, 'its postgres.json is damaged', { cause: error });
  }
}

export async function writeState(dataDir: string, state: DataDirState): Promise<void> {
  await replaceFile(stateFile(dataDir), `${JSON.stringify(state, null, 2)}\n`);
}

/** PostgreSQL's own data folder (PGDATA) of that data folder, whether it exists yet or not. */
export async function clusterOf(dataDir: string): Promise<string> {
  return (await readState(dataDir)).cluster ?? join(dataDir, 'postgres');
}

/** Runs work on a data folder; a bare EACCES from it becomes an error that says whose it is, or that it is none. */
export async function explainingPermissions<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (hasCode(error, 'EEXIST', 'ENOTDIR') && !(await isFolder(dataDir))) {
      throw new DataDirUnusable(dataDir, 'it, or what it is in, is no folder; choose another DATA_DIR', {
        cause: error,
      });
    }
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
    const reason = `user ${process.getuid?.()} may not use it (${(error as Error).message})`;
    throw new DataDirUnusable(dataDir, `${reason}; ${await ownerHint(dataDir)}`, { cause: error });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function ownerHint(dataDir: string): Promise<string> {
  try {
    const { uid } = await stat(dataDir);
    if (uid !== process.getuid?.()) return belongsTo(uid);
  } catch {
    // Not even its owner can be seen.
  }
  return 'choose another DATA_DIR';
}

/** A hint for a folder of another user: typically root started the service first. */
export function belongsTo(uid: number): string {
  const owner = uid === 0 ? 'root' : `user ${uid}`;
  return `it belongs to ${owner}: start as that user, remove it, or choose another DATA_DIR`;
}

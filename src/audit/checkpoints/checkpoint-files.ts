import { open, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { REGISTRY_PARTITION } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { giveToOwnerOfFolder, makeFolder } from '../../platform/folder-owner.js';
import { replaceFile } from '../../platform/replace-file.js';
import { type Checkpoint, checkpointIn, MalformedNote, parseCheckpoint } from './note.js';

/**
 * The newest signed checkpoint of every partition, in files: whoever can rewrite the database cannot rewrite these.
 * `CHECKPOINT_DIR` belongs to one ledger, wherever that is restored. The default folder may serve several databases of
 * one `DATA_DIR`; there a log is identified by its first event, so that a copy of it, truncated or not, in any
 * database, is compared with its checkpoints.
 */
@Injectable()
export class CheckpointFiles {
  #folder: string | undefined;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The newest note, or `undefined` for none. */
  async newest(partition: number): Promise<string | undefined> {
    const notes = await Promise.all(
      (await this.#folders()).map((folder) => readFile(fileIn(folder, partition), 'utf8').catch(noneYet)),
    );
    return notes.filter((note) => note !== undefined).reduce<string | undefined>(newer, undefined);
  }

  /** What such a note says. @throws MalformedNote that names its file */
  parse(partition: number, note: string): Checkpoint {
    try {
      return parseCheckpoint(note);
    } catch (error) {
      throw new MalformedNote(`${nameOf(partition)} is damaged: ${(error as Error).message}`, { cause: error });
    }
  }

  /** The partitions that have one, in order. */
  async partitions(): Promise<number[]> {
    const names = await Promise.all((await this.#folders()).map((folder) => readdir(folder).catch(noneYet)));
    const found = names.flatMap((some = []) => some.flatMap((name) => FILE.exec(name)?.[1] ?? [])).map(Number);
    return [...new Set(found)].sort((a, b) => a - b);
  }

  /** Not where there is one of a larger tree: processes share a folder, and another may have been faster. */
  async save(partition: number, note: string): Promise<void> {
    const [folder] = await this.#folders();
    const path = fileIn(folder!, partition);
    // What cannot be read cannot be replaced either, or is none.
    const present = await readFile(path, 'utf8').catch(() => '');
    if (sizeOf(present) > sizeOf(note)) return;
    await makeFolder(dirname(path));
    await replaceFile(path, async (draft) => {
      await writeDurably(draft, note);
      await giveToOwnerOfFolder(draft);
    });
  }

  /** The first is written to, all are read. The second default folder is that of earlier versions. */
  async #folders(): Promise<readonly string[]> {
    const { checkpoints } = this.config;
    if (checkpoints.folder !== undefined) return [checkpoints.folder];
    const before = await this.#folderOfDatabase();
    this.#folder ??= await this.#folderOfLog();
    return this.#folder === undefined ? [before] : [this.#folder, before];
  }

  /** @returns `undefined` while the log is empty */
  async #folderOfLog(): Promise<string | undefined> {
    const [first] = await this.database.backgroundQuery<{ id: string }>({
      name: 'log-origin',
      text: 'select event_id as id from event where partition = $1 and position = 1',
      values: [REGISTRY_PARTITION],
    });
    return first && join(this.config.dataDir, 'checkpoints', first.id);
  }

  async #folderOfDatabase(): Promise<string> {
    const [row] = await this.database.backgroundQuery<{ identity: string }>({
      name: 'database-identity',
      text: `
        select s.system_identifier || '-' || d.oid as identity
        from pg_control_system() s, pg_database d
        where d.datname = current_database()`,
    });
    return join(this.config.dataDir, 'checkpoints', row!.identity);
  }
}

const FILE = /^partition-(\d+)\.checkpoint$/;

function nameOf(partition: number): string {
  return `partition-${partition}.checkpoint`;
}

function fileIn(folder: string, partition: number): string {
  return join(folder, nameOf(partition));
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function newer(one: string | undefined, other: string): string {
  return one !== undefined && parseCheckpoint(one).size >= parseCheckpoint(other).size ? one : other;
}

function sizeOf(note: string): bigint {
  return checkpointIn(note)?.size ?? 0n;
}

function noneYet(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

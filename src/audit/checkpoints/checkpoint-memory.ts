import { open, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { giveToOwnerOfFolder, makeFolder } from '../../platform/embedded-postgres/index.js';

/**
 * The newest checkpoint of every partition that this process signed or saw signed, in files: who can rewrite the
 * database cannot rewrite what stands here. `CHECKPOINT_DIR` belongs to one ledger, wherever that is restored; the
 * default folder is shared by whatever databases a `DATA_DIR` was used with, and keeps them apart.
 */
@Injectable()
export class CheckpointMemory {
  #folder: Promise<string> | undefined;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async #fileOf(partition: number): Promise<string> {
    return join(await this.#where(), `partition-${partition}.checkpoint`);
  }

  async #where(): Promise<string> {
    this.#folder ??= this.#find();
    try {
      return await this.#folder;
    } catch (error) {
      this.#folder = undefined;
      throw error;
    }
  }

  async #find(): Promise<string> {
    const { checkpoints, dataDir } = this.config;
    if (checkpoints.folder !== undefined) return checkpoints.folder;
    const [row] = await this.database.backgroundQuery<{ identity: string }>({
      name: 'database-identity',
      text: `
        select s.system_identifier || '-' || d.oid as identity
        from pg_control_system() s, pg_database d
        where d.datname = current_database()`,
    });
    return join(dataDir, 'checkpoints', row!.identity);
  }

  /** The note, or `undefined` where none was kept yet. */
  async recall(partition: number): Promise<string | undefined> {
    return readFile(await this.#fileOf(partition), 'utf8').catch(noneYet);
  }

  /** The partitions of which one was kept, in order. */
  async partitions(): Promise<number[]> {
    const names = (await readdir(await this.#where()).catch(noneYet)) ?? [];
    return names
      .flatMap((name) => /^partition-(\d+)\.checkpoint$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  /** Written whole or not at all. */
  async keep(partition: number, note: string): Promise<void> {
    const path = await this.#fileOf(partition);
    await makeFolder(dirname(path));
    const draft = `${path}.${process.pid}`;
    const file = await open(draft, 'w');
    try {
      await file.writeFile(note);
      await file.sync();
    } finally {
      await file.close();
    }
    await giveToOwnerOfFolder(draft);
    await rename(draft, path);
  }
}

function noneYet(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

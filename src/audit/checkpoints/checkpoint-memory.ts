import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';

/**
 * The newest checkpoint of every partition that this process signed or saw signed, in files: who can rewrite the
 * database cannot rewrite what stands here.
 */
@Injectable()
export class CheckpointMemory {
  readonly #folder: string;

  constructor(@Inject(CONFIG) { checkpoints }: Config) {
    this.#folder = checkpoints.folder;
  }

  fileOf(partition: number): string {
    return join(this.#folder, `partition-${partition}.checkpoint`);
  }

  /** The note, or `undefined` where none was kept yet. */
  async recall(partition: number): Promise<string | undefined> {
    try {
      return await readFile(this.fileOf(partition), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Written whole or not at all. */
  async keep(partition: number, note: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const draft = `${this.fileOf(partition)}.${process.pid}`;
    const file = await open(draft, 'w');
    try {
      await file.writeFile(note);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.fileOf(partition));
  }
}

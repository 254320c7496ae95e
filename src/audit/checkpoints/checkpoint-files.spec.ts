import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Config } from '../../platform/config/index.js';
import type { Database } from '../../platform/database/index.js';
import { CheckpointFiles } from './checkpoint-files.js';

const PARTITION = 1;
const NAME = 'partition-1.checkpoint';
/** A note is a few hundred bytes. */
const NOTE = 'x'.repeat(300);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checkpoint-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Where the folder is set, nobody asks the database. */
const files = () => new CheckpointFiles({} as Database, { checkpoints: { folder } } as Config);

describe('files of checkpoints', () => {
  it('are written whole by processes of the same id, as those of two containers are', async () => {
    await files().save(PARTITION, NOTE);
    let isOver = false;
    const found = new Set<string>();
    const reading = (async () => {
      while (!isOver) found.add(await readFile(join(folder, NAME), 'utf8'));
    })();
    const all = [files(), files(), files()];
    try {
      for (let round = 0; round < 100; round++) await Promise.all(all.map((one) => one.save(PARTITION, NOTE)));
    } finally {
      isOver = true;
      await reading;
    }
    expect([...found]).toEqual([NOTE]);
    expect(await readdir(folder)).toEqual([NAME]);
  });

  it('leave no draft where they cannot be put in place', async () => {
    await mkdir(join(folder, NAME));
    await expect(files().save(PARTITION, NOTE)).rejects.toThrow();
    expect(await readdir(folder)).toEqual([NAME]);
  });

  it('are named where they are damaged', () => {
    expect(() => files().parse(PARTITION, '')).toThrow(`${NAME} is damaged: `);
  });
});

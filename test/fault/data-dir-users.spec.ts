import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { SETTINGS, startService } from '../support/service.js';

/** This needs root: to start processes as someone else. */
const asRoot = process.getuid?.() === 0 ? describe : describe.skip;

asRoot('a data folder that root and an ordinary user start with', () => {
  const [, , uid, gid] = /^nobody:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))![0].split(':').map(Number);
  let database: TestDatabase;
  let folder: string;
  let dataDir: string;

  beforeAll(async () => {
    database = await createDatabase();
    folder = mkdtempSync(join(tmpdir(), 'payments-users-'));
    chmodSync(folder, 0o755);
    for (const part of ['package.json', 'dist']) cpSync(part, join(folder, part), { recursive: true });
    copyFileSync(process.execPath, join(folder, 'node'));
    dataDir = mkdtempSync(join(folder, 'data-'));
    chownSync(dataDir, uid!, gid!);
    const service = await startService(database.url, {
      DEMO_PARTNER: 'true',
      DATA_DIR: dataDir,
      CHECKPOINT_INTERVAL_SECONDS: '1',
    });
    try {
      await eventually(() => checkpoints().length > 0);
    } finally {
      await service.kill('SIGTERM');
    }
  }, 60_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await database.drop();
  });

  const files = () => readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  const checkpoints = () => files().filter((name) => name.endsWith('.checkpoint'));

  const asUser = (where: string) =>
    spawnSync(join(folder, 'node'), ['dist/cli.js', 'migrate'], {
      cwd: folder,
      env: { ...SETTINGS, DATABASE_URL: database.url, DATA_DIR: where },
      encoding: 'utf8',
      uid,
      gid,
    });

  it('stays the user’s, with all that root wrote into it: secrets and checkpoints', () => {
    expect(files()).toContain('development-secrets.json');
    expect(files().filter((name) => statSync(join(dataDir, name)).uid !== uid)).toEqual([]);
    expect(asUser(dataDir)).toMatchObject({ status: 0, stderr: '' });
  });

  it('is refused by its name where root has made it', () => {
    const rootOnly = mkdtempSync(join(folder, 'root-'));
    const { status, stderr } = asUser(rootOnly);
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/belongs to root: start as that user/),
    });
  });
});

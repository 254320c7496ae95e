import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DataDirInUse, DataDirUnusable, EmbeddedPostgresFailed } from '../src/index.ts';
import { findPostmaster, stopPostmaster } from '../src/postmaster.ts';
import { cleanUp, find, madeDataDir, newDataDir, owner, query, removeMade, start, until } from './lab.ts';

afterEach(cleanUp, 60_000);
afterAll(removeMade);

describe('embedded PostgreSQL', () => {
  it('starts on nothing, lets in by password only, and keeps the data and the port over a stop', async () => {
    const dataDir = newDataDir();
    const first = await start(dataDir, { work_mem: '5MB' });
    await query(first.url, 'create table kept as select 42 as answer');
    const settings = await query(
      first.url,
      `select current_setting('work_mem') as work_mem, current_setting('fsync') as fsync,
              current_setting('listen_addresses') as address, current_setting('server_encoding') as encoding,
              current_setting('unix_socket_directories') as sockets`,
    );
    expect(settings).toEqual([{ work_mem: '5MB', fsync: 'on', address: '127.0.0.1', encoding: 'UTF8', sockets: '' }]);
    expect(first.settings).toMatchObject({ work_mem: '5MB', synchronous_commit: 'on' });
    const withoutPassword = first.url.replace(/:[^:@]+@/, ':guessed@');
    await expect(query(withoutPassword, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await Promise.all([first.stop(), first.stop()]);
    await expect(query(first.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    const second = await start(dataDir);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await second.stop();
  }, 60_000);

  it('refuses settings that would give up durability, and leaves nothing running', async () => {
    const dataDir = newDataDir();
    await expect(start(dataDir, { fsync: 'off' })).rejects.toThrow(EmbeddedPostgresFailed);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('fails with the end of the server log when the server does not start', async () => {
    const dataDir = newDataDir();
    const started = start(dataDir, { max_connections: 'many' });
    await expect(started).rejects.toThrow(/invalid value for parameter "max_connections"/);
    const server = await start(dataDir);
    await server.stop();
  }, 60_000);

  it('survives the SIGKILL of its owner; the next start takes the same server over', async () => {
    const dataDir = await madeDataDir();
    const killed = owner(dataDir);
    const { url } = await killed.started;
    await query(url, 'create table kept as select pg_postmaster_start_time() as began');
    await killed.kill();
    expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }]);

    const next = await start(dataDir);
    expect(next.url).toBe(url);
    const same = await query(next.url, 'select began = pg_postmaster_start_time() as same from kept');
    expect(same).toEqual([{ same: true }]);
    await next.stop();
  }, 60_000);

  it('restarts a server left behind that runs with other settings', async () => {
    const dataDir = await madeDataDir();
    const killed = owner(dataDir, { settings: { max_connections: '50' } });
    await query((await killed.started).url, 'create table kept as select 42 as answer');
    await killed.kill();
    const next = await start(dataDir, { max_connections: '60' });
    const rows = await query(next.url, `select answer, current_setting('max_connections') as connections from kept`);
    expect(rows).toEqual([{ answer: 42, connections: '60' }]);
    await next.stop();
  }, 60_000);

  it('refuses a second start beside a living owner and does not disturb it', async () => {
    const dataDir = await madeDataDir();
    const living = owner(dataDir);
    const { url } = await living.started;
    const second = start(dataDir, { work_mem: '6MB' });
    await expect(second).rejects.toThrow(`another process (pid ${living.child.pid}) already runs on ${dataDir}`);
    await expect(second).rejects.toBeInstanceOf(DataDirInUse);
    expect(await query(url, `select 1 as alive`)).toEqual([{ alive: 1 }]);
    expect(await living.stop()).toBe(0);
  }, 60_000);

  it('refuses it as soon when the clock is set back meanwhile', async () => {
    const dataDir = await madeDataDir();
    await owner(dataDir).started;
    let now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => (now -= 1_000));
    try {
      await expect(start(dataDir)).rejects.toThrow(DataDirInUse);
    } finally {
      clock.mockRestore();
    }
  }, 20_000);

  it('lets exactly one of several simultaneous starts on nothing win', async () => {
    const dataDir = newDataDir();
    const rivals = [owner(dataDir), owner(dataDir), owner(dataDir)];
    const outcomes = await Promise.all(rivals.map((rival) => rival.started));
    expect(outcomes.filter((outcome) => outcome.url)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.error === 'DataDirInUse')).toHaveLength(2);
    const winner = rivals[outcomes.findIndex((outcome) => outcome.url)]!;
    expect(await winner.stop()).toBe(0);
  }, 60_000);

  it('lets exactly one of several simultaneous starts take over a server left behind', async () => {
    const dataDir = await madeDataDir();
    const killed = owner(dataDir);
    await killed.started;
    await killed.kill();
    const rivals = [owner(dataDir), owner(dataDir), owner(dataDir)];
    const outcomes = await Promise.all(rivals.map((rival) => rival.started));
    expect(outcomes.map((outcome) => outcome.error ?? 'won').sort()).toEqual(['DataDirInUse', 'DataDirInUse', 'won']);
    const winner = rivals[outcomes.findIndex((outcome) => outcome.url)]!;
    expect(await winner.stop()).toBe(0);
  }, 60_000);

  it('starts afresh after a kill in the middle of initdb', async () => {
    const dataDir = newDataDir();
    const building = () =>
      (existsSync(dataDir) ? readdirSync(dataDir) : []).filter((name) => name.includes('building'));
    const killed = owner(dataDir);
    await until('the making of the cluster has begun', () =>
      building().some((name) => existsSync(join(dataDir, name, 'data/base'))),
    );
    await killed.kill();
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    const next = await start(dataDir);
    expect(await query(next.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await next.stop();
  }, 60_000);

  it('recovers after a crash of the machine whose process id went to another program', async () => {
    const dataDir = await madeDataDir();
    const killed = owner(dataDir);
    const { url } = await killed.started;
    await query(url, 'create table kept as select 42 as answer');
    const cluster = join(dataDir, 'postgres');
    const { pid } = (await findPostmaster(cluster))!;
    await killed.kill();
    process.kill(pid, 'SIGKILL');
    await until('the server is gone', async () => (await findPostmaster(cluster)) === undefined);
    // Of the server's own user: PostgreSQL knows by itself that another user's process cannot be the server.
    const { uid, gid } = statSync(cluster);
    const other = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid, cwd: '/' } : {});
    const pidFile = join(cluster, 'postmaster.pid');
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(other.pid)));

    const next = await start(dataDir);
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(other.exitCode ?? other.signalCode).toBeNull();
    other.kill();
    await next.stop();
  }, 60_000);

  it('recovers after the server itself was killed, though its children linger or nobody reaps it', async () => {
    const dataDir = await madeDataDir();
    for (let round = 0; round < 3; round++) {
      const killed = owner(dataDir);
      expect((await killed.started).message).toBeUndefined();
      await killed.kill();
      process.kill((await findPostmaster(join(dataDir, 'postgres')))!.pid, 'SIGKILL');
    }
    const last = owner(dataDir);
    expect(await query((await last.started).url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    expect(await last.stop()).toBe(0);
  }, 60_000);

  it('leaves a server alone that another process has started in place of its own', async () => {
    const dataDir = await madeDataDir();
    const first = owner(dataDir);
    await first.started;
    const cluster = join(dataDir, 'postgres');
    // Whoever is faster owns a server that was restarted: held still, the first one cannot be.
    first.child.kill('SIGSTOP');
    await stopPostmaster(cluster, (await findPostmaster(cluster))!);
    const second = owner(dataDir);
    const { url, error } = await second.started;
    expect(error).toBeUndefined();
    first.child.kill('SIGCONT');
    expect(await first.stop()).toBe(0);
    expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    expect(await second.stop()).toBe(0);
  }, 60_000);

  it('regains its ownership when the connection that holds it is lost', async () => {
    const dataDir = await madeDataDir();
    const server = await start(dataDir);
    const holder = `select pid from pg_locks where locktype = 'advisory' and granted`;
    const [before] = await query<{ pid: number }>(server.url, holder);
    await query(server.url, `select pg_terminate_backend(${before!.pid})`);
    await until('another connection holds the lock', async () => {
      const [now] = await query<{ pid: number }>(server.url, holder);
      return now !== undefined && now.pid !== before!.pid;
    });
    await expect(start(dataDir)).rejects.toThrow(DataDirInUse);
    await server.stop();
    expect(await find(dataDir)).toBeUndefined();
  }, 60_000);

  it('shows a command beside the service the way to the running server, and none when there is none', async () => {
    const dataDir = newDataDir();
    expect(await find(dataDir)).toBeUndefined();
    const living = owner(dataDir);
    const { url } = await living.started;
    expect(await find(dataDir)).toBe(url);
    expect(await living.stop()).toBe(0);
    expect(await find(dataDir)).toBeUndefined();
  }, 60_000);

  it('refuses a cluster of another major version, and says what to do', async () => {
    const dataDir = await madeDataDir();
    await (await start(dataDir)).stop();
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n');
    const started = start(dataDir);
    await expect(started).rejects.toThrow(DataDirUnusable);
    await expect(started).rejects.toThrow(/made by PostgreSQL 17/);
  }, 60_000);

  it('takes another port when its last one is taken', async () => {
    const dataDir = await madeDataDir();
    const first = await start(dataDir);
    await first.stop();
    const port = Number(new URL(first.url).port);
    const intruder = createServer();
    await new Promise<void>((resolve) => intruder.listen(port, '127.0.0.1', resolve));
    try {
      const second = await start(dataDir);
      expect(new URL(second.url).port).not.toBe(String(port));
      expect(await query(second.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
      await second.stop();
    } finally {
      intruder.close();
    }
  }, 60_000);
});

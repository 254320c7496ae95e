import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CitusCluster } from './citus-cluster.js';
import { eventually } from './eventually.js';
import { listenOnLoopback } from './loopback.js';

/** What an operator does with a node's server, as its own user: standbys, backups, restores (docs/scale.md). */

const BIN = '/usr/lib/postgresql/15/bin';

/** A command as the servers' user, in the cluster's folder. */
async function asServer(folder: string, ...command: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('runuser', ['-u', 'postgres', '--', ...command], { cwd: folder });
  return stdout;
}

const portOf = async (folder: string, node: string) => Number(await readFile(join(folder, `${node}.port`), 'utf8'));

/** A base backup of a node beside it, with what is needed to follow it. */
async function copyOf({ folder }: CitusCluster, node: string, name: string, ...options: string[]): Promise<string> {
  const target = join(folder, name);
  const from = ['-h', '127.0.0.1', '-p', `${await portOf(folder, node)}`, '-U', 'postgres'];
  await asServer(folder, `${BIN}/pg_basebackup`, ...from, '-D', target, '-X', 'stream', '-c', 'fast', ...options);
  return target;
}

/** A hot standby of a node, on a port of its own; the node's commits wait for it from now on. @returns its port */
export async function makeStandby(cluster: CitusCluster, node: string): Promise<number> {
  const target = await copyOf(cluster, node, `${node}-standby`, '-R');
  const port = await freePort();
  await settings(cluster.folder, target, [
    `port = ${port}`,
    `primary_conninfo = 'host=127.0.0.1 port=${await portOf(cluster.folder, node)} user=postgres application_name=standby'`,
  ]);
  await launch(cluster.folder, target);
  await onNode(cluster.folder, node, `alter system set synchronous_standby_names = 'standby'`);
  await onNode(cluster.folder, node, 'select pg_reload_conf()');
  return port;
}

/** The standby takes the node's place: it is promoted, and the coordinator is told where the node is now. */
export async function failOver(cluster: CitusCluster, node: string, port: number): Promise<void> {
  const target = join(cluster.folder, `${node}-standby`);
  await settings(cluster.folder, target, [`synchronous_standby_names = ''`]);
  await asServer(cluster.folder, `${BIN}/pg_ctl`, '-D', target, '-w', 'promote');
  await cluster.query(`select citus_update_node(nodeid, '127.0.0.1', $1, true) from pg_dist_node where nodeport = $2`, [
    port,
    await portOf(cluster.folder, node),
  ]);
}

/** From now on a node keeps its WAL in a folder of its own. */
export async function archive(cluster: CitusCluster, node: string): Promise<void> {
  const folder = join(cluster.folder, `${node}-wal`);
  await asServer(cluster.folder, 'mkdir', folder);
  await settings(cluster.folder, join(cluster.folder, node), [
    'archive_mode = on',
    `archive_command = 'cp %p ${folder}/%f'`,
  ]);
  await stopServer(cluster, node);
  await launch(cluster.folder, join(cluster.folder, node));
}

export async function backUp(cluster: CitusCluster, node: string): Promise<void> {
  await copyOf(cluster, node, `${node}-backup`);
}

export async function switchWal({ folder }: CitusCluster, node: string): Promise<void> {
  await onNode(folder, node, 'select pg_switch_wal()');
}

export async function stopServer({ folder }: CitusCluster, node: string): Promise<void> {
  await asServer(folder, `${BIN}/pg_ctl`, '-D', join(folder, node), '-m', 'fast', '-w', 'stop');
}

/** A node as it was at a restore point, in the place of what it is now, which must not run. */
export async function restore({ folder }: CitusCluster, node: string, point: string): Promise<void> {
  const [data, backup] = [join(folder, node), join(folder, `${node}-backup`)];
  await asServer(folder, 'rm', '-rf', data);
  await asServer(folder, 'mv', backup, data);
  await settings(folder, data, [
    `restore_command = 'cp ${join(folder, `${node}-wal`)}/%f %p'`,
    `recovery_target_name = '${point}'`,
    `recovery_target_action = 'promote'`,
    'archive_mode = off',
  ]);
  await asServer(folder, 'touch', join(data, 'recovery.signal'));
  await launch(folder, data);
  await eventually(async () => (await onNode(folder, node, 'select pg_is_in_recovery()')) === 'f');
}

async function settings(folder: string, data: string, lines: readonly string[]): Promise<void> {
  const append = 'file=$1; shift; printf "%s\\n" "$@" >> "$file"';
  await asServer(folder, 'sh', '-c', append, 'sh', join(data, 'postgresql.auto.conf'), ...lines);
}

async function launch(folder: string, data: string): Promise<void> {
  await asServer(folder, `${BIN}/pg_ctl`, '-D', data, '-l', `${data}.log`, '-w', 'start');
}

async function onNode(folder: string, node: string, text: string): Promise<string> {
  const to = ['-h', '127.0.0.1', '-p', `${await portOf(folder, node)}`, '-U', 'postgres', '-d', 'payments'];
  return (await asServer(folder, `${BIN}/psql`, '-XqAt', ...to, '-c', text)).trim();
}

async function freePort(): Promise<number> {
  const { port, close } = await listenOnLoopback(createServer());
  await close();
  return port;
}

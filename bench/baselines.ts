import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { sibling } from './server.ts';

const run = promisify(execFile);

/** A result that the service is compared with, on the same server in the same run. */
export interface Baseline {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly meanLatency: number;
}

export const hasPgbench = spawnSync('pgbench', ['--version']).status === 0;

/** A database with `pgbench`'s own tables at scale 50. */
export async function preparePgbench(url: string): Promise<string> {
  const database = await sibling(url, 'bench_pgbench');
  await run('pgbench', ['-i', '-q', '-s', '50', database]);
  return database;
}

/** TPC-B as `pgbench` has it: prepared statements, 32 clients. */
export async function pgbench(database: string, seconds: number): Promise<Baseline> {
  const { stdout } = await run('pgbench', [
    '-n',
    '-M',
    'prepared',
    '-c',
    '32',
    '-j',
    '2',
    '-T',
    String(seconds),
    database,
  ]);
  return {
    perSecond: Number(/tps = ([\d.]+)/.exec(stdout)![1]),
    meanLatency: Number(/latency average = ([\d.]+)/.exec(stdout)![1]),
  };
}

/** Accounts for the plain transaction. */
export async function preparePlain(url: string): Promise<string> {
  const database = await sibling(url, 'bench_plain');
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query('create table account (id int primary key, balance bigint not null)');
  await client.query(
    'create table entry (id bigserial primary key, source int, destination int, amount bigint, at timestamptz)',
  );
  await client.query('insert into account select i, 1000000000 from generate_series(1, 10000) i');
  await client.end();
  return database;
}

/**
 * A plain implementation: it locks both accounts, two updates, one insert, named statements, one transaction a
 * transfer.
 */
export async function plainTransaction(database: string, seconds: number): Promise<Baseline> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const until = performance.now() + seconds * 1000;
  let done = 0;
  while (performance.now() < until) {
    const [a, b] = [1 + ((done * 7919) % 10_000), 1 + ((done * 104_729 + 1) % 10_000)];
    await client.query('begin');
    await client.query({
      name: 'lock',
      text: 'select id, balance from account where id in ($1, $2) order by id for update',
      values: [a, b],
    });
    await client.query({
      name: 'debit',
      text: 'update account set balance = balance - $2 where id = $1',
      values: [a, 100],
    });
    await client.query({
      name: 'credit',
      text: 'update account set balance = balance + $2 where id = $1',
      values: [b, 100],
    });
    await client.query({
      name: 'entry',
      text: 'insert into entry (source, destination, amount, at) values ($1, $2, $3, now())',
      values: [a, b, 100],
    });
    await client.query('commit');
    done += 1;
  }
  await client.end();
  return { perSecond: done / seconds, meanLatency: (seconds * 1000) / done };
}

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { placements } from '../../migrations/placements.js';
import { serviceConnection } from '../../src/platform/database/connection-settings.js';
import { migrate, type Migrated } from '../../src/platform/database/migrate.js';
import { carryOut } from '../../src/platform/distribution/distribute.js';
import { layoutPlan } from '../../src/platform/distribution/layout.js';
import { distributionPlan, FRESH } from '../../src/platform/distribution/plan.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const SCRIPT = resolve('../shared/citus/cluster.sh');
const PARTITIONS = 8;
/** The first version that was distributed had the migrations before this one. */
const THEN = migrations.findIndex(({ name }) => name.startsWith('AccountList'));
const LANE = { statementTimeout: 5_000, lockTimeout: 4_000, idleInTransaction: 5_000 };
/** Moves nothing and locks the head, as a lane does. */
const LOCK = 'update log_head set corrections = corrections where partition = $1';

const directory = join(tmpdir(), `cluster-${process.pid}`);
let url: string;
let migrated: Migrated;
/** One whose shard is on a worker. */
let partition: number;

const cluster = (command: string, ...more: string[]) =>
  execFileSync('bash', [SCRIPT, command, directory, ...more], { encoding: 'utf8' });

/** A session of the service at the coordinator. */
async function session(): Promise<pg.Client> {
  const client = new pg.Client(serviceConnection(url, 'test', LANE));
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** As the first version did: every later migration then finds its tables in shards. */
async function distributeEarly(): Promise<void> {
  const then = { migrations: migrations.slice(0, THEN), migrationsTableName: 'schema_migration' };
  const source = await new DataSource({ type: 'postgres', url, ...then }).initialize();
  await source.runMigrations({ transaction: 'each' });
  await source.destroy();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is null',
    [Object.keys(placements)],
  );
  // A table of a later version is one that nothing is left to be done for.
  const placed = rows.flatMap(({ name }) => {
    const { kind } = placements[name]!;
    return kind === 'local' ? [] : [[name, kind] as const];
  });
  const tables = distributionPlan({ ...FRESH, placed: new Map(placed) });
  await carryOut(client, { layout: layoutPlan(PARTITIONS), tables, moves: false });
  await client.end();
}

// Needs root and the cluster for tests: where they are not, there is nothing to be tried.
(existsSync(SCRIPT) ? describe : describe.skip)('a cluster', () => {
  beforeAll(async () => {
    url = cluster('up', '2').trim().split('\n').at(-1)!;
    await distributeEarly();
    migrated = await migrate({ url, partitions: PARTITIONS });
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    const { rows } = await owner.query<{ partition: number }>(`
      select partition from log_head, pg_dist_placement p join pg_dist_node n using (groupid)
      where p.shardid = get_shard_id_for_distribution_column('log_head', partition) and n.groupid > 0
      order by partition limit 1`);
    partition = rows[0]!.partition;
    await owner.end();
  }, 180_000);

  afterAll(() => void cluster('down'), 30_000);

  it('of the first version that had one is brought to this one by all migrations since', () => {
    expect(migrated.applied).toEqual(migrations.slice(THEN).map(({ name }) => name));
  });

  it('to which no row was moved yet leaves new partitions where the others are', async () => {
    const filled = await createDatabase({ server: url, template: 'template0' });
    try {
      await migrate({ url: filled.url, partitions: 1 });
      await filled.query(`
        insert into event
          (partition, position, event_id, stream, version, type, schema_version, time, data, metadata, leaf)
        values (1, 1, gen_random_uuid(), 'one', 1, 'One', 1, now(), '{}', '{}', '')`);
      await filled.query('create extension citus');
      expect(await migrate({ url: filled.url, partitions: 2 })).toEqual({ applied: [], partitions: [2] });
    } finally {
      await filled.drop();
    }
  }, 60_000);

  it('keeps no lock on a node that outlives a coordinator that went silent', async () => {
    const [silent, other] = [await session(), await session()];
    const { rows } = await silent.query<{ pid: number }>('select pg_backend_pid() as pid');
    // The node's limit on what is idle runs from here on: the other must have been refused before.
    await silent.query('begin');
    await silent.query(LOCK, [partition]);
    // Its connections stay open and say nothing more; the limits of the session at the coordinator do not run either.
    process.kill(rows[0]!.pid, 'SIGSTOP');
    try {
      await expect(other.query(LOCK, [partition])).rejects.toThrow(/timeout/);
      await eventually(() => other.query(LOCK, [partition]), { within: 30_000 });
    } finally {
      process.kill(rows[0]!.pid, 'SIGCONT');
      await Promise.all([silent.end(), other.end()]);
    }
  }, 60_000);
});

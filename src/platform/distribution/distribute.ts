import type { Client } from 'pg';
import { SERVICE_ROLE } from '../database/connection-settings.js';
import { sqlState } from '../database/faults.js';
import { placements } from '../../../migrations/placements.js';
import { layoutPlan } from './layout.js';
import { distributionPlan, FIRST, LIMITS, type Standing } from './plan.js';
import { DistributionRefused } from './refused.js';

export const NO_DATABASE = "DATABASE_URL: must name a database at the cluster's coordinator.";
export const NO_NODES =
  'No node takes shards. Add the nodes at the coordinator first: `select citus_set_coordinator_host(…)`, ' +
  '`select citus_add_node(…)`.';

/** Whether the extension is installed in this database. */
export async function isCitus(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rowCount === 1;
}

/** Whether the heads are in shards. The extension alone does not say so: a filled database is moved by command. */
export async function isDistributed(client: Client): Promise<boolean> {
  return (await placedTables(client)).get(FIRST) === 'distributed';
}

/**
 * Installs the extension. The operator adds nodes before or after.
 * @throws DistributionRefused where the server does not have it
 */
export async function createExtension(client: Client): Promise<void> {
  if (await isCitus(client)) return;
  const { rowCount } = await client.query(`select from pg_available_extensions where name = 'citus'`);
  if (rowCount === 0) {
    throw new DistributionRefused(
      'The extension citus is not available on this server. Install it there, add it to shared_preload_libraries, ' +
        'and run the command again; until then the database stays as it is.',
    );
  }
  // Who may not see that setting may not create the extension either.
  const { rows } = await client.query<{ libraries: string }>(
    `select setting as libraries from pg_settings where name = 'shared_preload_libraries'`,
  );
  if (rows[0] && !/(^|[^\w])citus($|[^\w])/.test(rows[0].libraries)) {
    throw new DistributionRefused(
      'The server was started without the extension citus. Put it first in shared_preload_libraries, start the server ' +
        'again, and run the command again; until then the database stays as it is.',
    );
  }
  await client.query('create extension citus');
}

/** Statements, in order. */
export interface Plan {
  /** Each in its own transaction: the layout of shards. */
  readonly layout: readonly string[];
  /** In one transaction. */
  readonly tables: readonly string[];
  /** Whether tables with rows are distributed: writes stop meanwhile. */
  readonly moves: boolean;
}

/** The statements still to be run in this database. @param partitions the highest one */
export async function remainingPlan(client: Client, partitions: number): Promise<Plan> {
  const placed = await placedTables(client);
  const { rowCount } = await client.query('select from pg_roles where rolname = $1 and rolcanlogin', [SERVICE_ROLE]);
  const isPlaced = placed.has(FIRST);
  return {
    layout: isPlaced ? [] : layoutPlan(partitions),
    tables: distributionPlan({ placed, roleMayLogIn: rowCount === 1, limited: await isLimited(client) }),
    moves: !isPlaced && (await holdsEvents(client)),
  };
}

/**
 * Distributes the tables as declared: migrations do so in a database with the extension. A filled
 * database that is not distributed is left alone.
 * @param partitions the highest one
 */
export async function placeTables(client: Client, partitions: number): Promise<void> {
  if (!(await isCitus(client))) return;
  const plan = await remainingPlan(client, partitions);
  if (!plan.moves) await carryOut(client, plan);
}

/** @param before runs in the transaction of the tables, first. @param each called after every statement */
export async function carryOut(
  client: Client,
  { layout, tables }: Plan,
  before: readonly string[] = [],
  each: (statement: string, seconds: number) => void = () => undefined,
): Promise<void> {
  for (const statement of layout) await client.query(statement);
  if (tables.length === 0) return;
  await client.query('begin');
  try {
    for (const statement of [...before, ...tables]) {
      const began = performance.now();
      await client.query(statement);
      each(statement, (performance.now() - began) / 1000);
    }
    await client.query('commit');
  } catch (error) {
    // On a broken connection it fails too, and would say so in place of what happened.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Removes the rows that stay on the coordinator's disk, invisible, once their table is distributed.
 * @returns the tables that had any
 */
export async function removeLocalRows(client: Client): Promise<string[]> {
  const cleaned: string[] = [];
  for (const table of (await placedTables(client)).keys()) {
    if (!(table in placements)) continue;
    const { rows } = await client.query<{ bytes: string }>('select pg_relation_size($1::regclass) as bytes', [table]);
    if (rows[0]!.bytes === '0') continue;
    await removeRowsOf(client, table);
    cleaned.push(table);
  }
  return cleaned;
}

/**
 * Statements that go on meanwhile may hold the one lock and want the other: what PostgreSQL ends then is done again.
 */
async function removeRowsOf(client: Client, table: string, attempts = 5): Promise<void> {
  try {
    // The trigger against truncation of the log is disabled for these leftovers only, and in no shard.
    await client.query('begin');
    await client.query('set local citus.enable_ddl_propagation to off');
    await client.query(`alter table ${table} disable trigger user`);
    await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [table]);
    await client.query(`alter table ${table} enable trigger user`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    if (sqlState(error) !== '40P01' || attempts === 1) throw error;
    await removeRowsOf(client, table, attempts - 1);
  }
}

/**
 * Distributes a table that replaces another one in the same way; nothing on a plain database.
 * @param table with its schema
 */
export async function distributeLike(client: Client, table: string, model: string): Promise<void> {
  if (!(await isCitus(client)) || (await placedTables(client)).get(model) !== 'distributed') return;
  await client.query(`select create_distributed_table('${table}', 'partition', colocate_with => '${model}')`);
}

/** How many tables are where. */
export async function summary(client: Client): Promise<string> {
  const kinds = [...(await placedTables(client)).values()];
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  return `${count('distributed')} tables in shards by partition, ${count('reference')} whole on every node.`;
}

async function placedTables(client: Client): Promise<Standing['placed']> {
  if (!(await isCitus(client))) return new Map();
  const { rows } = await client.query<{ name: string; kind: 'distributed' | 'reference' }>(`
    select n.nspname || '.' || c.relname as name, t.citus_table_type as kind
    from citus_tables t
    join pg_class c on c.oid = t.table_name
    join pg_namespace n on n.oid = c.relnamespace
    where t.citus_table_type in ('distributed', 'reference')`);
  return new Map(rows.map(({ name, kind }) => [name, kind]));
}

async function isLimited(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_db_role_setting s
     join pg_database d on d.oid = s.setdatabase and d.datname = current_database()
     join pg_roles r on r.oid = s.setrole and r.rolname = $1
     where s.setconfig @> $2::text[]`,
    [SERVICE_ROLE, LIMITS],
  );
  return rowCount === 1;
}

async function holdsEvents(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ table: string | null }>(`select to_regclass('public.event')::text as table`);
  if (!rows[0]!.table) return false;
  const { rows: found } = await client.query<{ some: boolean }>('select exists (select from public.event) as some');
  return found[0]!.some;
}

import type { Client } from 'pg';
import { distributionPlan, LIMITS, ROLE, type Standing } from './plan.js';

/** The database cannot be made a distributed one, or not by this command; the message is all there is to say. */
export class DistributionRefused extends Error {
  override readonly name = 'DistributionRefused';
}

/** Whether the extension stands in this database. */
export async function isCitus(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rowCount === 1;
}

/**
 * Makes the extension. Nodes are the operator's to add, before or after.
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
  await client.query('create extension citus');
}

/** What is left to be done in this database. @throws DistributionRefused when it holds events and is not distributed yet */
export async function remainingPlan(client: Client): Promise<string[]> {
  const placed = await placedTables(client);
  const { rowCount } = await client.query('select from pg_roles where rolname = $1 and rolcanlogin', [ROLE]);
  if (!placed.has('public.event') && (await holdsEvents(client))) {
    throw new DistributionRefused(
      'This database holds events and is not distributed. Only a fresh database is turned into its distributed form: ' +
        'moving a filled one stops every write for as long as its tables are copied (docs/scale.md).',
    );
  }
  return distributionPlan({ placed, roleMayLogIn: rowCount === 1, limited: await isLimited(client) });
}

/**
 * Puts the tables where they are declared to live: what migrations do in a database that has the extension. A filled
 * database that is not distributed is left alone.
 * @returns how many statements that took
 */
export async function placeTables(client: Client): Promise<number> {
  if (!(await isCitus(client))) return 0;
  let plan: string[];
  try {
    plan = await remainingPlan(client);
  } catch (error) {
    if (error instanceof DistributionRefused) return 0;
    throw error;
  }
  await client.query('begin');
  try {
    for (const statement of plan) await client.query(statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  return plan.length;
}

/**
 * Spreads a table that takes another one's place as that one is spread; nothing on a plain database.
 * @param table with its schema
 */
export async function distributeLike(client: Client, table: string, model: string): Promise<void> {
  if (!(await isCitus(client)) || (await placedTables(client)).get(model) !== 'distributed') return;
  await client.query(`select create_distributed_table('${table}', 'partition', colocate_with => '${model}')`);
}

/** How many tables live where. */
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
    [ROLE, LIMITS],
  );
  return rowCount === 1;
}

async function holdsEvents(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ table: string | null }>(`select to_regclass('public.event')::text as table`);
  if (!rows[0]!.table) return false;
  const { rows: found } = await client.query<{ some: boolean }>('select exists (select from public.event) as some');
  return found[0]!.some;
}

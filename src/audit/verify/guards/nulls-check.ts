import { REGISTRY_PARTITION } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { Findings } from '../report.js';
import { REQUIRED } from './required.js';

/**
 * Reports columns that may be null though migrations let none. No other check expects null there: it may not go on.
 * @returns whether any is
 */
export async function checkNulls(database: Database, findings: Findings): Promise<boolean> {
  const columns = Object.entries(REQUIRED).flatMap(([table, names]) =>
    names.split(' ').map((name) => ({ table, name })),
  );
  const open = await database.backgroundQuery<{ table: string; name: string }>({
    name: 'verify-required',
    text: `
      select r.table, r.name
      from unnest($1::text[], $2::text[]) as r ("table", name)
      join pg_class c on c.relname = r.table
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      join pg_attribute a on a.attrelid = c.oid and a.attname = r.name and not a.attisdropped
      where c.relkind in ('r', 'p') and not a.attnotnull
      order by 1, 2`,
    values: [columns.map(({ table }) => table), columns.map(({ name }) => name)],
  });
  let any = false;
  for (const { table, name } of open) {
    const nulls = await database.backgroundQuery({
      name: `verify-nulls-${table}-${name}`,
      text: `select from ${table} where "${name}" is null limit 1`,
      values: [],
    });
    any ||= nulls.length > 0;
    const found = nulls.length > 0 ? 'null' : 'nothing';
    const where = { check: 'guards', partition: REGISTRY_PARTITION, position: null, subject: `table ${table}` };
    findings.report({ ...where, field: 'constraint', expected: `${name} NOT NULL`, found });
  }
  return any;
}

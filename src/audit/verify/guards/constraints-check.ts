import type { Database } from '../../../platform/database/index.js';
import { CONSTRAINTS } from './constraints.js';

export interface WrongConstraint {
  readonly table: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * Compares keys, unique indexes, checks and defaults of the tables with those of the migrations. That a request, a
 * payment or a return is done once, and no account overdrawn, rests on them, whatever a process remembers. A default is
 * called at each insert, as a trigger would be: `set_config` in one changes the session of the service.
 */
export async function wrongConstraints(database: Database): Promise<WrongConstraint[]> {
  const rows = await database.backgroundQuery<{ table: string; text: string }>({
    name: 'verify-constraints',
    text: `
      with own as (
        select c.oid, c.relname as table from pg_class c
        join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        where c.relname = any($1::text[]))
      select own.table, concat(
        regexp_replace(pg_get_indexdef(i.indexrelid), '^.*? USING btree ', 'unique '),
        case when not (i.indisvalid and i.indisready and i.indislive and i.indimmediate) then ', not in force' end) as text
      from own join pg_index i on i.indrelid = own.oid and i.indisunique
      union all
      select own.table, pg_get_constraintdef(o.oid) from own
      join pg_constraint o on o.conrelid = own.oid and o.contype in ('c', 'f', 'x')
      union all
      select own.table, concat(a.attname, ' DEFAULT ', pg_get_expr(d.adbin, d.adrelid)) from own
      join pg_attrdef d on d.adrelid = own.oid
      join pg_attribute a on a.attrelid = own.oid and a.attnum = d.adnum`,
    values: [Object.keys(CONSTRAINTS)],
  });
  const found = Map.groupBy(rows, ({ table }) => table);
  return Object.entries(CONSTRAINTS).flatMap(([table, expected]) => {
    const texts = found.get(table)?.map(({ text }) => text) ?? [];
    const missing = expected.filter((one) => !texts.includes(one));
    const like = (one: string) => texts.find((text) => text.startsWith(one));
    const more = texts.filter((text) => !expected.some((one) => text.startsWith(one)));
    return [
      ...missing.map((one) => ({ table, expected: one, found: like(one) ?? 'nothing' })),
      ...more.map((one) => ({ table, expected: 'nothing', found: one })),
    ];
  });
}

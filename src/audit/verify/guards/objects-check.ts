import type { Database } from '../../../platform/database/index.js';
import { RIGHTS } from './rights.js';

export interface ForeignObject {
  readonly subject: string;
  readonly found: string;
}

/** SQL: that an object was made in this database, and is of no extension. */
const isForeign = (table: string, oid: string) => `${oid} >= 16384::oid and not exists (
        select from pg_catalog.pg_depend e
        where e.classid = 'pg_catalog.${table}'::regclass::oid and e.objid = ${oid} and e.deptype = 'e')`;

/**
 * Objects by which a statement would do something else than it says, beside triggers, rules and views: functions,
 * operators and casts that PostgreSQL may prefer to its own; what a table calls at each write, as a trigger would;
 * tables that are read together with one of the service; what the service's role could use to change what it may not,
 * as a function or a view that works with its owner's rights.
 *
 * Whoever made such a thing may have made one for this statement too. So its conditions name catalogues with their
 * schema, and call nothing but functions and operators of PostgreSQL that fit their arguments exactly: these win.
 */
export function foreignObjects(database: Database): Promise<ForeignObject[]> {
  return database.backgroundQuery<ForeignObject & Record<string, unknown>>({
    name: 'verify-objects',
    text: `
      with own as (
        select c.oid, c.relname::text as name, c.relkind as kind, c.relpersistence as persistence
        from pg_catalog.pg_class c
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        where c.relname = any($1::name[])),
      called as (
        select p.oid, 'pg_catalog.pg_proc'::regclass::oid as class, p.pronamespace as namespace,
          'function '::text || p.proname::text as name
        from pg_catalog.pg_proc p
        where ${isForeign('pg_proc', 'p.oid')}
          and p.oid is distinct from pg_catalog.to_regprocedure('public.refuse_change()')::oid
        union all
        select o.oid, 'pg_catalog.pg_operator'::regclass::oid, o.oprnamespace, 'operator '::text || o.oprname::text
        from pg_catalog.pg_operator o where ${isForeign('pg_operator', 'o.oid')}),
      calling as (
        select 'pg_catalog.pg_attrdef'::regclass::oid as class, d.oid, d.adrelid as relation
        from pg_catalog.pg_attrdef d
        union all
        select 'pg_catalog.pg_class'::regclass::oid, i.indexrelid, i.indrelid from pg_catalog.pg_index i),
      service as (select r.* from pg_catalog.pg_roles r where r.rolname = current_user)
      select 'schema public' as subject, c.name as found from called c
      join pg_catalog.pg_namespace n on n.oid = c.namespace and n.nspname = 'public'
      union all
      select 'cast'::text, c.castsource::regtype::text || ' as '::text || c.casttarget::regtype::text
      from pg_catalog.pg_cast c where ${isForeign('pg_cast', 'c.oid')}
      union all
      select distinct 'table '::text || own.name, 'calls '::text || c.name
      from own join calling on calling.relation = own.oid
      join pg_catalog.pg_depend d on d.classid = calling.class and d.objid = calling.oid
      join called c on c.class = d.refclassid and c.oid = d.refobjid
      union all
      select 'table '::text || own.name, 'column '::text || a.attname::text || ' of another type or collation'::text
      from own join pg_catalog.pg_attribute a on a.attrelid = own.oid
      where (${isForeign('pg_type', 'a.atttypid')}) or (${isForeign('pg_collation', 'a.attcollation')})
      union all
      select 'table '::text || own.name, 'inherited by '::text || i.inhrelid::regclass::text
      from own join pg_catalog.pg_inherits i on i.inhparent = own.oid where own.kind = 'r'
      union all
      select 'table '::text || own.name, 'not logged: a crash empties it'::text from own where own.persistence <> 'p'
      union all
      select 'event trigger '::text || t.evtname::text, 'at each login'::text
      from pg_catalog.pg_event_trigger t where t.evtevent = 'login' and ${isForeign('pg_event_trigger', 't.oid')}
      union all
      select 'schema '::text || n.nspname::text,
        'function '::text || p.proname::text || ', which the service may call with its owner''s rights'::text
      from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where p.prosecdef and (${isForeign('pg_proc', 'p.oid')})
        and pg_catalog.has_schema_privilege(n.oid, 'usage'::text)
        and pg_catalog.has_function_privilege(p.oid, 'execute'::text)
      union all
      select 'schema '::text || n.nspname::text,
        'view '::text || v.relname::text || ', through which the service may write'::text
      from pg_catalog.pg_class v join pg_catalog.pg_namespace n on n.oid = v.relnamespace
      where v.relkind = 'v'::"char" and (${isForeign('pg_class', 'v.oid')})
        and pg_catalog.has_schema_privilege(n.oid, 'usage'::text)
        and pg_catalog.has_table_privilege(v.oid, 'insert, update, delete'::text)
      union all
      select 'role '::text || s.rolname::text, k.name
      from service s cross join lateral (values
        ('creates roles'::text, s.rolcreaterole), ('bypasses row security'::text, s.rolbypassrls),
        ('replicates'::text, s.rolreplication),
        ('creates in schema public'::text, pg_catalog.has_schema_privilege('public'::text, 'create'::text)),
        ('creates schemas'::text, pg_catalog.has_database_privilege(pg_catalog.current_database()::text, 'create'::text)),
        ('owns what migrations made'::text, exists (
          select from pg_catalog.pg_shdepend d
          join pg_catalog.pg_database b on b.oid = d.dbid and b.datname = pg_catalog.current_database()
          where d.refclassid = 'pg_catalog.pg_authid'::regclass::oid and d.refobjid = s.oid and d.deptype = 'o')))
        as k (name, holds)
      where k.holds`,
    values: [Object.keys(RIGHTS)],
  });
}

import type { Database } from '../../../platform/database/index.js';
import { RIGHTS } from './rights.js';

export interface ForeignObject {
  readonly subject: string;
  readonly found: string;
}

/** SQL: that an object was made in this database. */
const isMade = (oid: string) => `${oid} >= 16384::oid`;

/** SQL: that an object is of an extension, and the rest holds. Whoever owns both may have added it to that. */
const isOfExtension = (table: string, oid: string, rest = '') => `exists (
        select from pg_catalog.pg_depend e join pg_catalog.pg_extension x on x.oid = e.refobjid
        where e.classid = 'pg_catalog.${table}'::regclass::oid and e.objid = ${oid} and e.deptype = 'e' ${rest})`;

/**
 * SQL: that a function was made in this database, and is not an extension's own: one in C (13), which is of a library
 * of the server, or one of Citus.
 */
const isForeignFunction = (p: string) =>
  `${isMade(`${p}.oid`)} and not ${isOfExtension(
    'pg_proc',
    `${p}.oid`,
    `and (${p}.prolang = 13::oid or x.extname = any('{citus,citus_columnar}'::name[]))`,
  )}`;

/** SQL: the same of an object that calls functions, `f` of `called`. */
const isForeign = (table: string, oid: string, called: string) => `${isMade(oid)} and not (
        ${isOfExtension(table, oid)} and not exists (select from ${called} and ${isForeignFunction('f')}))`;

const SUPPORT_OF_CLASS = `pg_catalog.pg_amproc s join pg_catalog.pg_proc f on f.oid = s.amproc::oid
          where s.amprocfamily = o.opcfamily`;

/** SQL: that the service's role may change what is in a relation, or in some of its columns. */
const mayWrite = (relation: string) => `(
        pg_catalog.has_table_privilege(${relation}, 'insert, update, delete, truncate'::text)
        or pg_catalog.has_any_column_privilege(${relation}, 'insert, update'::text))`;

/**
 * Objects by which a statement would do something else than it says, beside triggers, rules and views: functions,
 * operators and casts that PostgreSQL may prefer to its own; what a table calls at each write, as a trigger would;
 * tables that are read together with one of the service, or that have rows of their own follow its rows; what the
 * service's role could use to change what it may not, as a function, a view, a trigger or a rule that works with its
 * owner's rights, or a function of the server that is not everybody's.
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
        where ${isForeignFunction('p')}
          and p.oid is distinct from pg_catalog.to_regprocedure('public.refuse_change()')::oid
        union all
        select o.oid, 'pg_catalog.pg_operator'::regclass::oid, o.oprnamespace, 'operator '::text || o.oprname::text
        from pg_catalog.pg_operator o
        where ${isForeign('pg_operator', 'o.oid', 'pg_catalog.pg_proc f where f.oid = o.oprcode::oid')}
        union all
        select o.oid, 'pg_catalog.pg_opclass'::regclass::oid, o.opcnamespace, 'operator class '::text || o.opcname::text
        from pg_catalog.pg_opclass o
        where ${isForeign('pg_opclass', 'o.oid', SUPPORT_OF_CLASS)}),
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
      from pg_catalog.pg_cast c
      where ${isForeign('pg_cast', 'c.oid', 'pg_catalog.pg_proc f where f.oid = c.castfunc')}
      union all
      select distinct 'table '::text || own.name, 'calls '::text || c.name
      from own join calling on calling.relation = own.oid
      join pg_catalog.pg_depend d on d.classid = calling.class and d.objid = calling.oid
      join called c on c.class = d.refclassid and c.oid = d.refobjid
      union all
      select 'table '::text || own.name, 'column '::text || a.attname::text || ' of another type or collation'::text
      from own join pg_catalog.pg_attribute a on a.attrelid = own.oid
      where ${isMade('a.atttypid')} or ${isMade('a.attcollation')}
      union all
      select 'table '::text || own.name, 'inherited by '::text || i.inhrelid::regclass::text
      from own join pg_catalog.pg_inherits i on i.inhparent = own.oid
      union all
      select 'table '::text || own.name, 'referred to by '::text || f.conrelid::regclass::text
      from own join pg_catalog.pg_constraint f on f.confrelid = own.oid and f.contype = 'f'::"char"
      union all
      select 'table '::text || own.name, 'not logged: a crash empties it'::text from own where own.persistence <> 'p'
      union all
      select 'event trigger '::text || t.evtname::text,
        case when t.evtevent = 'login' then 'at each login'::text else 'with its owner''s rights'::text end
      from pg_catalog.pg_event_trigger t join pg_catalog.pg_proc p on p.oid = t.evtfoid
      where (t.evtevent = 'login' or p.prosecdef)
        and ${isForeign('pg_event_trigger', 't.oid', 'pg_catalog.pg_proc f where f.oid = t.evtfoid')}
      union all
      select 'schema '::text || n.nspname::text,
        'function '::text || p.proname::text || ', which the service may call with its owner''s rights'::text
      from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where p.prosecdef and ${isForeignFunction('p')}
        and pg_catalog.has_schema_privilege(n.oid, 'usage'::text)
        and pg_catalog.has_function_privilege(p.oid, 'execute'::text)
      union all
      select 'schema '::text || n.nspname::text,
        case v.relkind when 'f'::"char" then 'foreign table '::text else 'view '::text end || v.relname::text
          || ', through which the service may write'::text
      from pg_catalog.pg_class v join pg_catalog.pg_namespace n on n.oid = v.relnamespace
      where v.relkind = any('{v,f}'::"char"[]) and ${isMade('v.oid')}
        and pg_catalog.has_schema_privilege(n.oid, 'usage'::text) and ${mayWrite('v.oid')}
      union all
      select 'table '::text || t.tgrelid::regclass::text,
        'trigger '::text || t.tgname::text || ', which does with its owner''s rights what the service writes'::text
      from pg_catalog.pg_trigger t join pg_catalog.pg_proc p on p.oid = t.tgfoid
      where p.prosecdef and ${isForeignFunction('p')} and ${mayWrite('t.tgrelid')}
      union all
      select 'table '::text || w.ev_class::regclass::text,
        'rule '::text || w.rulename::text || ', which does with its owner''s rights what the service writes'::text
      from pg_catalog.pg_rewrite w
      where w.ev_type <> '1'::"char" and ${isMade('w.ev_class')} and ${mayWrite('w.ev_class')}
      union all
      select 'role '::text || s.rolname::text, k.name
      from service s cross join lateral (values
        ('creates roles'::text, s.rolcreaterole), ('bypasses row security'::text, s.rolbypassrls),
        ('replicates'::text, s.rolreplication),
        ('sets account numbers'::text,
          pg_catalog.has_sequence_privilege(pg_catalog.to_regclass('public.account_number'::text)::oid, 'update'::text)),
        ('creates in schema public'::text, pg_catalog.has_schema_privilege('public'::text, 'create'::text)),
        ('creates schemas'::text, pg_catalog.has_database_privilege(pg_catalog.current_database()::text, 'create'::text)),
        ('owns what migrations made'::text, exists (
          select from pg_catalog.pg_shdepend d
          join pg_catalog.pg_database b on b.oid = d.dbid and b.datname = pg_catalog.current_database()
          where d.refclassid = 'pg_catalog.pg_authid'::regclass::oid and d.refobjid = s.oid and d.deptype = 'o')))
        as k (name, holds)
      where k.holds
      union all
      select 'role '::text || s.rolname::text,
        'was granted '::text || pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid)
      from service s
      join pg_catalog.pg_shdepend d on d.refclassid = 'pg_catalog.pg_authid'::regclass::oid and d.refobjid = s.oid
      join pg_catalog.pg_database b on b.oid = d.dbid and b.datname = pg_catalog.current_database()
      where d.deptype = 'a' and d.classid = 'pg_catalog.pg_proc'::regclass::oid`,
    values: [Object.keys(RIGHTS)],
  });
}

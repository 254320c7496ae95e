import { setTimeout as pause } from 'node:timers/promises';
import { REGISTRY_PARTITION } from '../../../event-store/index.js';
import { type Database, sqlState } from '../../../platform/database/index.js';
import { type Findings, show } from '../report.js';
import { wrongConstraints } from './constraints-check.js';
import { foreignObjects } from './objects-check.js';
import { RIGHTS } from './rights.js';
import { unsafeServer, weakeningSettings } from './settings-check.js';

const CHECK = 'guards';
/** A rebuild puts the tables of one projection after another in place. */
const ATTEMPTS = 10;
const PAUSE_MS = 100;

/** With `tgtype` of `pg_trigger`: 27 is before update or delete of each row, 34 before truncate of a statement. */
const TRIGGERS = [
  'event_is_append_only on event: 27, O, refuse_change',
  'event_is_not_truncated on event: 34, O, refuse_change',
];
const REFUSES =
  /^\s*begin\s+raise exception 'the event log is append-only' using errcode = 'insufficient_privilege';\s+end\s*$/;

/**
 * SQL: that a trigger, whose function is `p`, is the one that Citus gives every table which it distributes. By what it
 * calls, since anybody may name a trigger, or a function, as Citus does; its own is in C (13).
 */
const IS_OF_CITUS = `p.proname = 'citus_truncate_trigger' and p.prolang = 13 and exists (
        select from pg_depend d
        join pg_extension x on x.oid = d.refobjid and x.extname = 'citus'
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.refclassid = 'pg_extension'::regclass
          and d.deptype = 'e')`;

/**
 * What protects the log from changes: its triggers exist, are enabled, and refuse; no table has another trigger, a rule
 * or a row policy, and none is a view; nothing else makes a statement do what it does not say, and no setting weakens
 * that; each table has the keys, unique indexes and checks of the migrations; the service's role has the rights that
 * migrations granted, and no others.
 */
export async function checkGuards(database: Database, findings: Findings): Promise<void> {
  const wrong = (subject: string, field: string, expected: string, found: string) =>
    findings.report({ check: CHECK, partition: REGISTRY_PARTITION, position: null, subject, field, expected, found });
  const triggers = await database.backgroundQuery<{ name: string; source: string }>({
    name: 'verify-triggers',
    text: `
      select
        format('%s on %s: %s, %s, %s%s%s', t.tgname, c.relname, t.tgtype, t.tgenabled, p.proname,
          case when t.tgqual is not null then ', under a condition' end,
          case when t.tgattr::text <> '' then ', of some columns' end) as name,
        p.prosrc as source
      from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal and not (${IS_OF_CITUS})`,
  });
  const found = triggers.map(({ name }) => name);
  findings.saw(CHECK, TRIGGERS.length);
  for (const name of TRIGGERS.filter((one) => !found.includes(one))) {
    wrong('table event', 'trigger', name, found.find((one) => one.startsWith(name.split(':')[0]!)) ?? 'nothing');
  }
  for (const { name, source } of triggers) {
    if (!TRIGGERS.includes(name)) wrong(name, 'trigger', 'none but those of the log', 'a trigger');
    else if (!REFUSES.test(source)) wrong(name, 'function', 'one that refuses every change', source);
  }
  for (const { subject, found } of await others(database)) wrong(subject, 'guard', 'nothing', found);
  for (const { subject, found } of await foreignObjects(database)) wrong(subject, 'guard', 'nothing', found);
  for (const { subject, found } of await weakeningSettings(database)) wrong(subject, 'setting', 'none', found);
  findings.warnings.push(...(await unsafeServer(database)));
  for (const { name, found } of await lasting(() => misplaced(database))) {
    wrong(`table ${name}`, 'place', 'a table of public', found);
  }
  for (const { table, expected, found } of await lasting(() => wrongConstraints(database))) {
    wrong(`table ${table}`, 'constraint', expected, found);
  }
  findings.saw(CHECK, Object.keys(RIGHTS).length);
  for (const { table, expected, rights } of await lasting(() => wrongRights(database))) {
    wrong(`table ${table}`, 'rights of the service', expected, show(rights));
  }
}

/** What a second look finds too: a statement sees tables half gone while a rebuild puts others in their place. */
async function lasting<T>(look: () => Promise<readonly T[]>): Promise<readonly T[]> {
  const first = await untilWhole(look);
  if (first.length === 0) return first;
  const second = new Set((await untilWhole(look)).map((one) => JSON.stringify(one)));
  return first.filter((one) => second.has(JSON.stringify(one)));
}

/** XX000: a table that a statement began to look at is gone. */
async function untilWhole<T>(look: () => Promise<readonly T[]>): Promise<readonly T[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await look();
    } catch (error) {
      if (sqlState(error) !== 'XX000' || attempt === ATTEMPTS) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** Whatever changes what a statement does, or which rows it sees. */
function others(database: Database): Promise<{ subject: string; found: string }[]> {
  return database.backgroundQuery({
    name: 'verify-rules',
    text: `
      select 'table ' || tablename as subject, 'rule ' || rulename as found from pg_rules where schemaname = 'public'
      union all
      select 'table ' || c.relname, 'row security' from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relrowsecurity
      union all
      select 'role ' || rolname, 'superuser' from pg_roles where rolname = current_user and rolsuper
      union all
      select 'role ' || current_user, 'member of ' || r.rolname from pg_roles r
      where r.rolname <> current_user and pg_has_role(current_user, r.oid, 'member')`,
  });
}

/** Tables by whose names the service finds something else, or nothing: a view may show each reader other rows. */
function misplaced(database: Database): Promise<{ name: string; found: string }[]> {
  return database.backgroundQuery({
    name: 'verify-places',
    text: `
      select t.name, coalesce(format('%s of %s', case when c.relkind in ('r', 'p') then 'a table' else 'no table' end,
        n.nspname), 'nothing') as found
      from unnest($1::text[]) as t (name)
      left join pg_class c on c.oid = to_regclass(t.name)
      left join pg_namespace n on n.oid = c.relnamespace
      where (c.relkind in ('r', 'p') and n.nspname = 'public') is not true`,
    values: [Object.keys(RIGHTS)],
  });
}

/** Of the current role, which is the service's. */
async function wrongRights(database: Database): Promise<{ table: string; expected: string; rights: string }[]> {
  const rows = await database.backgroundQuery<{ table: string; rights: string }>({
    name: 'verify-rights',
    text: `
      select c.relname as table, concat_ws(' ',
        (select string_agg(lower(r.name), ' ' order by r.nth)
         from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
           with ordinality as r (name, nth)
         where has_table_privilege(c.oid, r.name)),
        (select string_agg(lower(r.name) || '(' || r.columns || ')', ' ' order by r.name)
         from (
           select k.name, string_agg(a.attname, ' ' order by a.attnum) as columns
           from unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) as k (name)
           join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
           where not has_table_privilege(c.oid, k.name) and has_column_privilege(c.oid, a.attnum, k.name)
           group by k.name) as r)) as rights
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      where c.relkind in ('r', 'p')
      order by c.relname`,
  });
  return rows.flatMap(({ table, rights }) => {
    const expected = RIGHTS[table];
    return expected === undefined || rights === expected ? [] : [{ table, expected, rights }];
  });
}

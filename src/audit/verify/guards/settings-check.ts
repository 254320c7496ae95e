import type { Database } from '../../../platform/database/index.js';
import type { ForeignObject } from './objects-check.js';

/** What an owner can set for the database or a login so that nobody sees it in a statement. */
const WEAKENING = [
  'session_replication_role=replica',
  // The last two do not wait for the disk of a synchronous standby.
  ...['off', 'false', 'no', '0', 'local', 'remote_write'].map((off) => `synchronous_commit=${off}`),
];

/**
 * Settings that somebody gave the database, or a login of the service, by which triggers do not fire, or a payment that
 * was answered is lost in a crash. Settings of superusers are theirs alone, but for what this session has: of the whole
 * server, or of the URL. It names and calls things as `foreignObjects` does.
 */
export function weakeningSettings(database: Database): Promise<ForeignObject[]> {
  return database.backgroundQuery<ForeignObject & Record<string, unknown>>({
    name: 'verify-settings',
    text: `
      select coalesce('role '::text || r.rolname::text, 'the database'::text) as subject, k.setting as found
      from pg_catalog.pg_db_role_setting s
      cross join lateral pg_catalog.unnest(s.setconfig) as k (setting)
      left join pg_catalog.pg_roles r on r.oid = s.setrole
      left join pg_catalog.pg_database d on d.oid = s.setdatabase
      where (s.setdatabase = 0::oid or d.datname = pg_catalog.current_database())
        and (s.setrole = 0::oid or r.rolname = session_user
          or not r.rolsuper and pg_catalog.pg_has_role(r.oid, current_user, 'member'::text))
        and pg_catalog.lower(k.setting) = any($1::text[])
      union all
      select 'this session'::text, s.name || '='::text || s.setting from pg_catalog.pg_settings s
      where s.name = 'session_replication_role'::text and s.setting = 'replica'::text`,
    values: [WEAKENING],
  });
}

/** Settings of the whole server, or the URL, as of a copy that is thrown away: a crash may lose what was committed. */
export async function unsafeServer(database: Database): Promise<string[]> {
  const rows = await database.backgroundQuery<{ name: string }>({
    name: 'verify-server',
    text: `
      select s.name from pg_catalog.pg_settings s
      where s.name = any('{fsync,full_page_writes,synchronous_commit}'::text[]) and s.setting = 'off'::text
      order by s.name`,
  });
  return rows.map(({ name }) => `${name} is off on this server: a crash of its machine may lose what was committed`);
}

import { onOneSession } from './reachable.js';
import { lookUpsOf, poolSizeOf } from './server-pools.js';

/** Sessions that the server, the database and the login let in; some of the server's are kept for others. */
const LET_IN = `
  select least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user)) as count`;

/** Most sessions of a service: pools, look-ups, the registry's follower, notifications, a lane for each partition. */
export function mostSessions(workers: number, partitions: number): number {
  return workers * (2 * poolSizeOf(workers) + lookUpsOf(workers) + 2 + partitions + 1);
}

/**
 * What a start says where fewer sessions are let in than it may open: it would serve, and refuse now and then.
 * `undefined` where there are enough, or it cannot be read: who asks next says why.
 */
export async function aboutFewSessions(url: string, workers: number, partitions: number): Promise<string | undefined> {
  const most = mostSessions(workers, partitions);
  const read = onOneSession(url, async (client) => (await client.query<{ count: number }>(LET_IN)).rows[0]!.count);
  const count = await read.catch(() => most);
  if (count >= most) return undefined;
  return (
    `The database lets ${count} sessions in, and this process with its workers opens up to ${most}: while none is ` +
    'left, requests are refused and work waits. Raise max_connections, or the limit of the database or the login.'
  );
}

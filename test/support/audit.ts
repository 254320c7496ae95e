import pg from 'pg';
import type { TestDatabase } from './database.js';
import { type Query, tellEvents } from './told-events.js';

/** What must hold of a ledger at any time, read by plain SQL: nothing of the service's own code is trusted here. */
export async function assertLedgerSound({ url }: TestDatabase): Promise<{ events: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // One snapshot: what is under way goes on meanwhile.
    await client.query('begin isolation level repeatable read');
    return await soundEvents(async (text, values) => (await client.query(text, values)).rows);
  } finally {
    // Its copy of the log goes with it.
    await client.end();
  }
}

async function soundEvents(query: Query): Promise<{ events: number }> {
  await tellEvents({ query });
  const problems = await query(`
    with posting as (
      select e.partition, e.position, p->>'account' as account, p->>'bucket' as bucket, (p->>'amount')::bigint as amount,
        (p->>'entry')::int as entry
      from told.event e, json_array_elements(e.data->'postings') p
      where e.data->'postings' is not null)
    select 'positions of partition ' || h.partition || ' have gaps' as problem
      from log_head h
      where h.position <> (select count(*) from event e where e.partition = h.partition)
        or h.position <> (select coalesce(max(position), 0) from event e where e.partition = h.partition)
    union all
    select 'stream ' || stream || ' has gaps' from event group by partition, stream having max(version) <> count(*)
    union all
    select 'event ' || partition || '/' || position || ' does not sum to zero'
      from posting group by partition, position having sum(amount) <> 0
    union all
    select 'entries of account ' || account || ' have gaps'
      from posting group by account having max(entry) <> count(*) or count(distinct entry) <> count(*)
    union all
    select 'balances of account ' || a.uid || ' differ from the postings'
      from account a
      left join (
        select account, coalesce(sum(amount) filter (where bucket = 'available'), 0) as available,
          coalesce(sum(amount) filter (where bucket = 'held'), 0) as held,
          coalesce(sum(amount) filter (where bucket = 'blocked'), 0) as blocked
        from posting group by account) s on s.account = a.uid::text
      where a.available <> coalesce(s.available, 0) or a.held <> coalesce(s.held, 0)
        or a.blocked <> coalesce(s.blocked, 0)
    union all
    select 'account ' || a.uid || ' blocks another sum than its holds'
      from account a
      left join (
        select account_uid, sum(filled - released - executed - returned) as blocked from hold group by account_uid) h
        on h.account_uid = a.uid
      where a.blocked <> coalesce(h.blocked, 0)
    union all
    select 'money was made or lost' from account having sum(available + held + blocked) <> 0`);
  if (problems.length > 0) throw new Error(problems.map(({ problem }) => problem).join('\n'));
  const [count] = await query('select count(*) as events from event');
  return { events: Number(count!.events) };
}

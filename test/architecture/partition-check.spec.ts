import { describe, expect, it } from '@jest/globals';
import { partitionFaults, serverTimesWritten, tablesOf } from '../support/partition-check.js';

const PARTITIONED = new Set(['account', 'event', 'log_head', 'work']);
const faults = (statement: string) => partitionFaults(statement, PARTITIONED);

describe('the check of statements', () => {
  it.each([
    ['a condition', 'select 1 from account where partition = $1 and uid = any($2::uuid[])'],
    ['a join', 'select 1 from log_head h join account a on a.partition = h.partition where h.partition = $1'],
    ['a join by name', 'select 1 from log_head h join account a using (partition) where a.partition = $1'],
    [
      'a count of what a common table changed',
      'with moved as (update log_head set position = $2 where partition = $1 returning partition) select 1 / count(*) from moved',
    ],
    [
      'a join the other way',
      'select 1 from log_head h, account a where h.partition = a.partition and $1 = a.partition',
    ],
    [
      'a subquery of its own',
      'update account set held = 1 where partition = $1 and uid in (select uid from account where partition = $1)',
    ],
    [
      'a correlated subquery',
      'select 1 from account a where a.partition = $1 and exists (select from event e where e.partition = a.partition)',
    ],
    [
      'an insert of values',
      'insert into work (partition, id) values ($1, $2), ($1, $3) on conflict (partition, id) do nothing',
    ],
    [
      'an insert beside the head',
      'insert into work (id, partition) select n.id, h.partition from log_head h, unnest($2::uuid[]) as n (id) where h.partition = $1',
    ],
    [
      'an update from rows',
      'update account a set held = n.held from unnest($2::int[]) as n (held) where a.partition = $1::int',
    ],
    [
      'a common table',
      'with page as (select partition, uid from account where partition = $1) select 1 from page p join event e on e.partition = p.partition',
    ],
    [
      'a recursion',
      'with recursive r (partition, n) as (select partition, 1 from log_head where partition = $1 union all select r.partition, n + 1 from r join event e on e.partition = r.partition) select 1 from r',
    ],
    [
      'both arms of a union',
      'select uid from account where partition = $1 union all select uid from account where partition = $1',
    ],
    ['no table with partitions', `select nextval('account_number')`],
  ])('passes %s', async (_what, statement) => {
    expect(await faults(statement)).toEqual([]);
  });

  it.each([
    ['no condition', 'select 1 from account where uid = $1'],
    ['a choice', 'select 1 from account where partition = $1 or uid = $2'],
    ['a negation', 'select 1 from account where not (partition = $1)'],
    ['several partitions', 'select 1 from account where partition = any($1::int[])'],
    ['another comparison', 'select 1 from account where partition >= $1'],
    ['a join of loose tables', 'select 1 from log_head h join account a on a.partition = h.partition'],
    [
      'a join by something else',
      'select 1 from log_head h join account a on a.held = h.position where h.partition = $1',
    ],
    ['a join of loose tables by name', 'select 1 from log_head h join account a using (partition)'],
    ['a join by another name', 'select 1 from log_head h join account a using (position) where h.partition = $1'],
    [
      'a count of what a loose common table changed',
      'with moved as (update log_head set position = $2 where position = $1 returning partition) select 1 / count(*) from moved',
    ],
    [
      'a condition in a subquery only',
      'select 1 from account a where exists (select from event e where e.partition = $1 and a.partition = e.partition)',
    ],
    ['a loose subquery', 'select 1 from account where partition = $1 and uid in (select uid from work)'],
    ['a loose target of an update', 'update account a set held = 1 from log_head h where h.partition = $1'],
    ['a loose delete', 'delete from work where id = $1'],
    ['a loose arm of a union', 'select uid from account where partition = $1 union all select uid from account'],
    [
      'a loose common table',
      'with page as (select partition from account) select 1 from event e join page p on e.partition = p.partition',
    ],
    [
      'a loose step of a recursion',
      'with recursive r (n) as (select 1 from log_head where partition = $1 union all select n + 1 from r join event e on e.position = r.n) select 1 from r',
    ],
    ['an insert without the column', 'insert into work (id) values ($1)'],
    [
      'an insert of an unknown partition',
      'insert into work (partition, id) select n.p, n.id from unnest($1::int[], $2::uuid[]) as n (p, id)',
    ],
    ['a conflict elsewhere', 'insert into work (partition, id) values ($1, $2) on conflict (id) do nothing'],
    ['a move', 'update work set partition = $2 where partition = $1'],
  ])('finds %s', async (_what, statement) => {
    expect(await faults(statement)).not.toEqual([]);
  });

  it('names the tables of a statement', async () => {
    const statement =
      'with x as (select 1 from event) insert into work (id) select a.uid from sandbox.charge c, account a';
    expect([...(await tablesOf(statement))].sort()).toEqual(['account', 'event', 'sandbox.charge', 'work']);
  });

  it('finds the time of the server where it is written', async () => {
    expect(await serverTimesWritten('update work set due_at = now() where partition = $1')).toEqual(['now']);
    expect(await serverTimesWritten('insert into work (partition, due_at) values (1, current_timestamp)')).toEqual([
      'current_timestamp',
    ]);
    expect(await serverTimesWritten('select clock_timestamp()')).toEqual([]);
  });
});

import type { PoolClient } from 'pg';
import type { AsyncProjection, RecordedEvent } from '../../../event-store/index.js';
import { encodeArray, encoded } from '../../../platform/database/index.js';
import { entriesOf, type Entry } from '../../domain/entry.js';

/** Statement entries of every account, system accounts included: an async projection of the postings. */
export const entryProjection: AsyncProjection<Entry> = {
  name: 'entries',
  tables: ['entry'],
  rowsOf: entriesOf,

  fixed: {
    scan: {
      name: 'entry-scan',
      text: `
      select account_uid, number, position, bucket, amount, balance, kind, transaction_id, description::text,
        date_part('epoch', time)
      from entry
      where partition = $1 and (account_uid, number) > ($3::uuid, $4::int)
      order by account_uid, number limit $2`,
      first: ['00000000-0000-0000-0000-000000000000', '0'],
      position: 2,
    },

    textsOf: (entry) => [
      entry.accountUid,
      String(entry.number),
      String(entry.position),
      entry.bucket,
      String(entry.amount),
      String(entry.balance),
      entry.kind,
      entry.transactionId,
      entry.description && JSON.stringify(entry.description),
      // PostgreSQL and ECMAScript both write a double in the fewest digits that give it back.
      String(entry.time.getTime() / 1000),
    ],
  },

  compare: (partition, entries) => ({
    name: 'entry-compare',
    text: `
      select n.position::text, n.account_uid || '/' || n.number as key, d.field, d.expected, d.found
      from unnest($2::uuid[], $3::int[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::text[], $9::uuid[],
          $10::text[], $11::timestamptz[])
          as n (account_uid, number, position, bucket, amount, balance, kind, transaction_id, description, time)
      left join entry e on e.partition = $1 and e.account_uid = n.account_uid and e.number = n.number
      cross join lateral (
        values ('number', n.number::text, e.number::text), ('position', n.position::text, e.position::text),
          ('bucket', n.bucket, e.bucket), ('amount', n.amount::text, e.amount::text),
          ('balance', n.balance::text, e.balance::text), ('kind', n.kind, e.kind),
          ('transaction_id', n.transaction_id::text, e.transaction_id::text),
          ('description', n.description, e.description::text), ('time', n.time::text, e.time::text)
      ) as d (field, expected, found)
      where (e.number is null or e.position <> n.position or e.amount <> n.amount or e.balance <> n.balance
          or e.bucket <> n.bucket or e.kind <> n.kind or e.time <> n.time
          or e.transaction_id is distinct from n.transaction_id or e.description::text is distinct from n.description)
        and d.expected is distinct from d.found`,
    values: [partition, ...columnsOf(entries)],
  }),

  count: (partition, afterKey, upTo, limit) => {
    const [account = '00000000-0000-0000-0000-000000000000', number = '0'] = afterKey?.split('/') ?? [];
    return {
      name: 'entry-count',
      text: `
        with page as (
          select account_uid, number, position from entry
          where partition = $1 and (account_uid, number) > ($2::uuid, $3::int)
          order by account_uid, number limit $5)
        select count(*) filter (where position <= $4)::int as counted, count(*)::int as seen, max(position) as newest,
          (select account_uid || '/' || number from page order by account_uid desc, number desc limit 1) as last
        from page`,
      values: [partition, account, number, upTo, limit],
    };
  },

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<void> {
    const entries = events.flatMap(entriesOf);
    if (entries.length === 0) return;
    const statement = encoded({
      name: 'entry-insert',
      text: `
        insert into entry (partition, account_uid, number, position, bucket, amount, balance, kind, transaction_id,
          description, time)
        select $1, n.account_uid, n.number, n.position, n.bucket, n.amount, n.balance, n.kind, n.transaction_id,
          n.description::json, n.time
        from unnest($2::uuid[], $3::int[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::text[], $9::uuid[],
            $10::text[], $11::timestamptz[])
            as n (account_uid, number, position, bucket, amount, balance, kind, transaction_id, description, time)`,
      values: [partition, ...columnsOf(entries)],
    });
    await client.query(statement);
  },
};

/** Rows as columns, for `unnest`: in binary, since a replay sends millions of them. */
function columnsOf(entries: readonly Entry[]): Buffer[] {
  return [
    encodeArray(
      'uuid',
      entries.map((entry) => entry.accountUid),
    ),
    encodeArray(
      'int',
      entries.map((entry) => entry.number),
    ),
    encodeArray(
      'bigint',
      entries.map((entry) => entry.position),
    ),
    encodeArray(
      'text',
      entries.map((entry) => entry.bucket),
    ),
    encodeArray(
      'bigint',
      entries.map((entry) => entry.amount),
    ),
    encodeArray(
      'bigint',
      entries.map((entry) => entry.balance),
    ),
    encodeArray(
      'text',
      entries.map((entry) => entry.kind),
    ),
    encodeArray(
      'uuid',
      entries.map((entry) => entry.transactionId),
    ),
    encodeArray(
      'text',
      entries.map((entry) => entry.description && JSON.stringify(entry.description)),
    ),
    encodeArray(
      'timestamptz',
      entries.map((entry) => entry.time),
    ),
  ];
}

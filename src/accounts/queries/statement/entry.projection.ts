import type { PoolClient } from 'pg';
import type { Follower, RecordedEvent } from '../../../event-store/index.js';
import { entriesOf } from './entry.js';

/** Statement entries of every account, system accounts included: an async projection of the postings. */
export const entryProjection: Follower = {
  name: 'entries',

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<void> {
    const entries = events.flatMap(entriesOf);
    if (entries.length === 0) return;
    await client.query({
      name: 'entry-insert',
      text: `
        insert into entry (partition, account_uid, number, position, bucket, amount, balance, kind, transaction_id,
          description, time)
        select $1, n.account_uid, n.number, n.position, n.bucket, n.amount, n.balance, n.kind, n.transaction_id,
          n.description::json, n.time
        from unnest($2::uuid[], $3::int[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::text[], $9::uuid[],
            $10::text[], $11::timestamptz[])
            as n (account_uid, number, position, bucket, amount, balance, kind, transaction_id, description, time)`,
      values: [
        partition,
        entries.map((entry) => entry.accountUid),
        entries.map((entry) => entry.number),
        entries.map((entry) => entry.position),
        entries.map((entry) => entry.bucket),
        entries.map((entry) => entry.amount),
        entries.map((entry) => entry.balance),
        entries.map((entry) => entry.kind),
        entries.map((entry) => entry.transactionId),
        entries.map((entry) => entry.description && JSON.stringify(entry.description)),
        entries.map((entry) => entry.time),
      ],
    });
  },
};

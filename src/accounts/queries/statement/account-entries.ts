import { checkpointOf } from '../../../event-store/index.js';
import { entryProjection } from './entry.projection.js';

interface Wanted {
  /** SQL of the highest position. */
  readonly upTo: string;
  /** SQL of a further condition of the newest entry, by `position` and `number`. */
  readonly before?: string;
  /** SQL of the lowest position. */
  readonly from?: string;
  /** Only movements on `available`. */
  readonly isAvailable?: boolean;
  /** SQL of the most rows. */
  readonly limit: string;
}

/** SQL: up to which position `entry` has the postings of partition `$1`. */
export const ENTRIES_FOLLOWED = checkpointOf(entryProjection.name);

/**
 * SQL of the newest entries of account `$2` in partition `$1`, the newest first, with the columns of `entry`. A
 * transfer that was made at once has its two in its own row (docs/adr/0038); its account's other transactions are
 * looked at only as far back as the other entries go. What `entry` does not have yet is not shown of transfers either.
 */
export function newestEntries({ upTo, before = 'true', from = '0', isAvailable = false, limit }: Wanted): string {
  const ofTransfers = (account: string, columns: string) => `
      (select * from (
         select ${columns}, 'Transfer' as kind, id as transaction_id, null::json as description,
           null::timestamptz as time, details, state_dates
         from transaction
         where partition = $1 and ${account} = $2 and entry is not null
           and position <= (select last from reached) and position >= (select first from oldest)) as transfers
       where ${before}
       order by position desc limit ${limit})`;
  return `
    with reached as materialized (select least(${upTo}, ${ENTRIES_FOLLOWED}) as last),
    apart as materialized (
      select number, position, bucket, amount, balance, kind, transaction_id, description, time from entry
      where partition = $1 and account_uid = $2 and position <= (select last from reached) and position >= ${from}
        and ${before} ${isAvailable ? "and bucket = 'available'" : ''}
      order by position desc, number desc limit ${limit}),
    oldest as materialized (
      select case when count(*) < ${limit} then ${from} else min(position) end as first from apart)
    select number, position, bucket, amount, balance, kind, transaction_id,
      coalesce(description, details->'orderDescription') as description,
      coalesce(time, (state_dates->>'Completed')::timestamptz) as time
    from (
      (select *, null::json as details, null::json as state_dates from apart)
      union all ${ofTransfers('account_uid', `entry as number, position, 'available' as bucket, -amount as amount, balance`)}
      union all ${ofTransfers(
        'counterparty_uid',
        `counterparty_entry as number, position, 'available' as bucket, amount, counterparty_balance as balance`,
      )}
      order by position desc, number desc limit ${limit}) as entries
    order by position desc, number desc`;
}

/** SQL of entries of account `$2` in partition `$1`, oldest first, with the balance of each bucket after each. */
export function withBalances(entries: string): string {
  const available = newestEntries({
    upTo: 'e.position',
    before: '(position, number) <= (e.position, e.number)',
    isAvailable: true,
    limit: '1',
  });
  // No transfer made at once moves these.
  const lastOf = (bucket: 'held' | 'blocked') => `(
    select balance from entry
    where partition = $1 and account_uid = $2 and number <= e.number and bucket = '${bucket}'
    order by number desc limit 1) as ${bucket}`;
  return `
    select e.number, e.position, e.time, ${lastOf('held')}, ${lastOf('blocked')},
      case when e.bucket = 'available' then e.balance else (select balance from (${available}) as last) end as available
    from (${entries}) as e
    order by e.number`;
}

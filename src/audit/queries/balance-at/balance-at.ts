import { Injectable } from '@nestjs/common';
import { newestEntries } from '../../../accounts/index.js';
import { EventLog } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';

/** An account's balances at a moment or position, from its entries; centavos. */
export interface BalanceAt {
  readonly available: bigint;
  readonly held: bigint;
  readonly blocked: bigint;
  /** Number of the account's last entry by then; 0 for none. */
  readonly entry: number;
  /** Position of that entry's event; `null` for none. */
  readonly position: bigint | null;
}

/** Greater than every position. */
const NEWEST = 9_223_372_036_854_775_807n;

/** The newest entry up to position `$3`, and of each bucket. Entries of transfers move only what is available. */
const BALANCE_AT = `
  with newest as (${newestEntries({ upTo: '$3::bigint', limit: '1' })}),
  available as (${newestEntries({ upTo: '$3::bigint', isAvailable: true, limit: '1' })})
  select (select number from newest) as entry, (select position from newest) as position,
    (select balance from available) as available, ${lastOf('held')}, ${lastOf('blocked')}`;

function lastOf(bucket: 'held' | 'blocked'): string {
  return `(
    select balance from entry
    where partition = $1 and account_uid = $2 and number <= (select number from newest) and bucket = '${bucket}'
    order by number desc limit 1) as ${bucket}`;
}

/** Past balances by keyed reads, without a replay: however long the history is. */
@Injectable()
export class BalanceAtReader {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
  ) {}

  /** @param at the last moment, `null` for any. @param position the last position, `null` for any */
  async read(partition: number, account: string, at: Date | null, position: bigint | null): Promise<BalanceAt> {
    const byThen = at ? BigInt(await this.log.firstPositionAt(partition, justAfter(at))) - 1n : NEWEST;
    const [row] = await this.database.query<{
      entry: number | null;
      position: string | null;
      available: string | null;
      held: string | null;
      blocked: string | null;
    }>({
      name: 'balance-at',
      text: BALANCE_AT,
      values: [partition, account, position !== null && position < byThen ? position : byThen],
    });
    return {
      available: BigInt(row!.available ?? 0),
      held: BigInt(row!.held ?? 0),
      blocked: BigInt(row!.blocked ?? 0),
      entry: row!.entry ?? 0,
      position: row!.position === null ? null : BigInt(row!.position),
    };
  }
}

/** The first moment after a time: event times have whole milliseconds. */
function justAfter(time: Date): Date {
  return new Date(time.getTime() + 1);
}

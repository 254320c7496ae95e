import { Injectable } from '@nestjs/common';
import { newestEntries, withBalances } from '../../../accounts/index.js';
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

/** The newest entry up to position `$3`. */
const BALANCE_AT = withBalances(newestEntries({ upTo: '$3::bigint', limit: '1' }));

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
      number: number;
      position: string;
      available: string | null;
      held: string | null;
      blocked: string | null;
    }>({
      name: 'balance-at',
      text: BALANCE_AT,
      values: [partition, account, position !== null && position < byThen ? position : byThen],
    });
    return {
      available: BigInt(row?.available ?? 0),
      held: BigInt(row?.held ?? 0),
      blocked: BigInt(row?.blocked ?? 0),
      entry: row?.number ?? 0,
      position: row ? BigInt(row.position) : null,
    };
  }
}

/** The first moment after a time: event times have whole milliseconds. */
function justAfter(time: Date): Date {
  return new Date(time.getTime() + 1);
}

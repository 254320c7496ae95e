import { Injectable } from '@nestjs/common';
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

/**
 * Past balances by keyed reads. An account's entries are numbered without gaps and in order of time, so a binary search
 * finds the last one by a moment: twenty look-ups in a million entries, without an index of its own or a replay.
 */
@Injectable()
export class BalanceAtReader {
  constructor(private readonly database: Database) {}

  async read(partition: number, account: string, at: Date | null, position: bigint | null): Promise<BalanceAt> {
    const [row] = await this.database.query<{
      entry: number;
      position: string | null;
      available: string | null;
      held: string | null;
      blocked: string | null;
    }>({
      name: 'balance-at',
      text: `
        with recursive halving (low, high) as (
          select 0, coalesce((
            select number from entry where partition = $1 and account_uid = $2 order by number desc limit 1), 0)
          union all
          select case when early then middle else low end, case when early then high else middle - 1 end
          from (
            select low, high, (low + high + 1) / 2 as middle, (
              select time <= coalesce($3, 'infinity'::timestamptz) and e.position <= coalesce($4, 9223372036854775807)
              from entry e
              where e.partition = $1 and e.account_uid = $2 and e.number = (low + high + 1) / 2) as early
            from halving where low < high) as step
        ), last as (
          select low as number from halving where low >= high limit 1
        )
        select l.number as entry,
          (select e.position from entry e where e.partition = $1 and e.account_uid = $2 and e.number = l.number),
          (select balance from entry
           where partition = $1 and account_uid = $2 and number <= l.number and bucket = 'available'
           order by number desc limit 1) as available,
          (select balance from entry
           where partition = $1 and account_uid = $2 and number <= l.number and bucket = 'held'
           order by number desc limit 1) as held,
          (select balance from entry
           where partition = $1 and account_uid = $2 and number <= l.number and bucket = 'blocked'
           order by number desc limit 1) as blocked
        from last l`,
      values: [partition, account, at, position],
    });
    return {
      available: BigInt(row!.available ?? 0),
      held: BigInt(row!.held ?? 0),
      blocked: BigInt(row!.blocked ?? 0),
      entry: row!.entry,
      position: row!.position === null ? null : BigInt(row!.position),
    };
  }
}

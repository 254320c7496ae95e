import { Injectable } from '@nestjs/common';
import { BalanceAtReader } from '../../../audit/index.js';
import { Database } from '../../../platform/database/index.js';
import { formatAmount } from '../../../platform/money.js';
import type { BalanceSeriesView } from './accounts.answer.js';

interface Row {
  readonly number: number;
  readonly time: Date;
  readonly available: string | null;
  readonly held: string | null;
  readonly blocked: string | null;
}

/**
 * Balances over time from the entries, with a bounded number of keyed reads whatever the history: an account's entries
 * are numbered without gaps, so evenly spaced numbers are evenly spaced entries.
 */
@Injectable()
export class BalanceSeries {
  constructor(
    private readonly database: Database,
    private readonly balances: BalanceAtReader,
  ) {}

  async read(
    partition: number,
    account: string,
    { from, to }: { from?: Date; to?: Date },
    points: number,
  ): Promise<BalanceSeriesView> {
    const [before, last] = await Promise.all([
      this.balances.read(partition, account, justBefore(from ?? new Date(0)), null),
      this.balances.read(partition, account, to ? justBefore(to) : null, null),
    ]);
    const entries = Math.max(0, last.entry - before.entry);
    const rows =
      entries === 0 ? [] : await this.#at(partition, account, evenlySpaced(before.entry + 1, last.entry, points));
    return {
      before: {
        at: from ?? null,
        entry: before.entry,
        available: formatAmount(before.available),
        held: formatAmount(before.held),
        blocked: formatAmount(before.blocked),
      },
      points: rows.map(({ number, time, available, held, blocked }) => ({
        at: time,
        entry: number,
        available: formatAmount(BigInt(available ?? 0)),
        held: formatAmount(BigInt(held ?? 0)),
        blocked: formatAmount(BigInt(blocked ?? 0)),
      })),
      entries,
    };
  }

  #at(partition: number, account: string, numbers: readonly number[]): Promise<Row[]> {
    return this.database.query<Row>({
      name: 'balance-series',
      text: `
        select e.number, e.time,
          (select balance from entry
           where partition = $1 and account_uid = $2 and number <= e.number and bucket = 'available'
           order by number desc limit 1) as available,
          (select balance from entry
           where partition = $1 and account_uid = $2 and number <= e.number and bucket = 'held'
           order by number desc limit 1) as held,
          (select balance from entry
           where partition = $1 and account_uid = $2 and number <= e.number and bucket = 'blocked'
           order by number desc limit 1) as blocked
        from unnest($3::int[]) as n (number)
        join entry e on e.partition = $1 and e.account_uid = $2 and e.number = n.number
        order by e.number`,
      values: [partition, account, numbers],
    });
  }
}

/** The last moment before a period: event times have whole milliseconds. */
function justBefore(time: Date): Date {
  return new Date(time.getTime() - 1);
}

/** At most `max` evenly spaced numbers from the first to the last, both included. */
function evenlySpaced(first: number, last: number, max: number): number[] {
  const count = Math.min(max, last - first + 1);
  if (count === 1) return [last];
  return Array.from({ length: count }, (_, i) => first + Math.round((i * (last - first)) / (count - 1)));
}

import { Injectable } from '@nestjs/common';
import { newestEntries, withBalances } from '../../../accounts/index.js';
import { type BalanceAt, BalanceAtReader } from '../../../audit/index.js';
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

/** The newest `$4` entries up to position `$3`. */
const EACH = withBalances(newestEntries({ upTo: '$3::bigint', limit: '$4::int' }));

/** The last entry up to each of the positions `$3`, where it is after position `$4`. */
const CHOSEN = withBalances(`
  select distinct on (found.position, found.number) found.*
  from unnest($3::bigint[]) as at (place)
  cross join lateral (${newestEntries({ upTo: 'at.place', limit: '1' })}) as found
  where found.position > $4::bigint
  order by found.position, found.number`);

/** Balances over time from the entries, with a bounded number of keyed reads whatever the history. */
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
    // In this order: entries of before the period that come meanwhile are none of its points.
    const last = await this.balances.read(partition, account, to ? justBefore(to) : null, null);
    const before = await this.balances.read(partition, account, justBefore(from ?? new Date(0)), null);
    const entries = Math.max(0, last.entry - before.entry);
    const rows = await this.#rows(partition, account, before, last, points);
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

  #rows(partition: number, account: string, before: BalanceAt, last: BalanceAt, points: number): Promise<Row[]> {
    const entries = last.entry - before.entry;
    if (entries <= 0) return Promise.resolve([]);
    const first = before.position ?? 0n;
    const [name, text, ...values] =
      entries <= points
        ? ['balance-series', EACH, last.position, entries]
        : ['balance-series-chosen', CHOSEN, evenlySpaced(first, last.position!, points), first];
    return this.database.query<Row>({ name, text, values: [partition, account, ...values] });
  }
}

/** The last moment before a period: event times have whole milliseconds. */
function justBefore(time: Date): Date {
  return new Date(time.getTime() - 1);
}

/** Positions after the first, evenly spaced up to the last, which is one of them. */
function evenlySpaced(first: bigint, last: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => first + ((last - first) * BigInt(i + 1)) / BigInt(count));
}

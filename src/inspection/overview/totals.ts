import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import type { Period } from './period.js';

/** Transactions of a type that came to a state. Amounts are centavos. */
export interface Counted {
  readonly type: string;
  readonly state: string;
  readonly count: number;
  readonly amount: bigint;
}

export interface LatencyRow {
  readonly type: string;
  /** A class of `latencyClass`. */
  readonly latency: number;
  readonly count: number;
}

/** Reads the totals of a period, summed over the partitions: its cost is that of the steps, not of the transactions. */
@Injectable()
export class Totals {
  constructor(private readonly database: Database) {}

  /** By step, oldest first. */
  async series({ step, from, to }: Period): Promise<(Counted & { readonly at: Date })[]> {
    const rows = await this.database.query<{ at: Date; type: string; state: string; count: string; amount: string }>({
      name: 'totals-series',
      text: `
        select t.at, t.type, t.state, sum(t.count)::bigint as count, sum(t.amount)::text as amount
        from log_head h
        join transaction_total t on t.partition = h.partition and t.step = $1 and t.at >= $2 and t.at < $3
        group by t.at, t.type, t.state
        order by t.at, t.type, t.state`,
      values: [step, from, to],
    });
    return rows.map(({ at, type, state, count, amount }) => ({
      at,
      type,
      state,
      count: Number(count),
      amount: BigInt(amount),
    }));
  }

  async latencies({ step, from, to }: Period): Promise<LatencyRow[]> {
    const rows = await this.database.query<{ type: string; latency: number; count: string }>({
      name: 'totals-latencies',
      text: `
        select t.type, t.latency, sum(t.count)::bigint as count
        from log_head h
        join transaction_total t on t.partition = h.partition and t.step = $1 and t.at >= $2 and t.at < $3
        where t.state = 'Completed'
        group by t.type, t.latency`,
      values: [step, from, to],
    });
    return rows.map(({ type, latency, count }) => ({ type, latency, count: Number(count) }));
  }
}

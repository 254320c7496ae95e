import { Injectable } from '@nestjs/common';
import type { TransactionState, TransactionType } from '../../../accounts/index.js';
import { Partitions } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { partsOf, type Period } from '../../projection/period.js';

/** Transitions to a state, by transaction type. Amounts are centavos. */
export interface Counted {
  readonly type: TransactionType;
  readonly state: TransactionState;
  readonly count: number;
  readonly amount: bigint;
}

export interface LatencyRow {
  readonly type: TransactionType;
  /** A bucket of `latencyBucket`. */
  readonly latency: number;
  readonly count: number;
}

/** Latencies of one step and type: a row of the table each, of which there may be hundreds. */
interface LatenciesOfStep {
  readonly at: Date;
  readonly type: TransactionType;
  readonly latencies: readonly (readonly [latency: number, count: number])[];
}

/** A period's totals, over the partitions that answered. */
export interface PeriodTotals {
  /** By step, oldest first. */
  readonly series: readonly (Counted & { readonly at: Date })[];
  readonly latencies: readonly LatencyRow[];
  readonly away: readonly number[];
}

/** Steps of one partition that are read at a time: of years, all of them would not fit into memory. */
const COUNTS_AT_A_TIME = 1_000;
/** Each may have hundreds of buckets. */
const LATENCIES_AT_A_TIME = 200;

/** Reads the totals of a period, partition by partition: the cost grows with the steps, not with the transactions. */
@Injectable()
export class Totals {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  async read(period: Period): Promise<PeriodTotals> {
    const series = new Map<string, Counted & { at: Date }>();
    const latencies = new Map<string, LatencyRow>();
    const missing = new Set<number>();
    for await (const { found, away } of this.#inParts(period, COUNTS_AT_A_TIME, (...asked) => this.#series(...asked))) {
      away.forEach((partition) => missing.add(partition));
      for (const row of found.flatMap(([, rows]) => rows)) {
        const key = `${row.at.getTime()}/${row.type}/${row.state}`;
        const known = series.get(key);
        const [count, amount] = [Number(row.count), BigInt(row.amount)];
        series.set(key, { ...row, count: count + (known?.count ?? 0), amount: amount + (known?.amount ?? 0n) });
      }
    }
    const { found, away } = await this.partitions.ask(this.partitions.all(), (one) => this.#latencies(one, period));
    away.forEach((partition) => missing.add(partition));
    for (const row of found.flatMap(([, rows]) => rows)) {
      const key = `${row.type}/${row.latency}`;
      latencies.set(key, { ...row, count: Number(row.count) + (latencies.get(key)?.count ?? 0) });
    }
    const inOrder = [...series.values()].sort(
      (a, b) => a.at.getTime() - b.at.getTime() || compare(a.type, b.type) || compare(a.state, b.state),
    );
    return { series: inOrder, latencies: [...latencies.values()], away: [...missing] };
  }

  /**
   * Latencies of completions by step, some steps at a time, which come in no order; a bucket may come once for each
   * partition.
   */
  async *latencyOfSteps(period: Period) {
    const read = (partition: number, part: Period) => this.#latencyOfSteps(partition, part);
    for await (const { found, away } of this.#inParts(period, LATENCIES_AT_A_TIME, read)) {
      yield { steps: found.flatMap(([, rows]) => rows.flatMap(asLatencies)), away };
    }
  }

  /** @param steps of one partition that are read at a time: with more partitions, fewer of each */
  async *#inParts<T>(period: Period, steps: number, read: (partition: number, part: Period) => Promise<T>) {
    const partitions = this.partitions.all();
    for (const part of partsOf(period, Math.max(1, Math.floor(steps / partitions.length)))) {
      yield await this.partitions.ask(partitions, (partition) => read(partition, part));
    }
  }

  #latencyOfSteps(partition: number, { step, from, to }: Period) {
    return this.database.query<LatenciesOfStep & Record<string, unknown>>({
      name: 'totals-latency-steps',
      text: `
        select at, type, json_agg(json_build_array(latency, count)) as latencies
        from transaction_total
        where partition = $1 and step = $2 and at >= $3 and at < $4 and state = 'Completed' and latency >= 0
        group by at, type`,
      values: [partition, step, from, to],
    });
  }

  #series(partition: number, { step, from, to }: Period) {
    return this.database.query<Omit<Counted, 'count' | 'amount'> & { at: Date; count: string; amount: string }>({
      name: 'totals-series',
      text: `
        select at, type, state, sum(count)::bigint as count, sum(amount)::text as amount
        from transaction_total
        where partition = $1 and step = $2 and at >= $3 and at < $4
        group by at, type, state`,
      values: [partition, step, from, to],
    });
  }

  #latencies(partition: number, { step, from, to }: Period) {
    return this.database.query<Omit<LatencyRow, 'count'> & { count: string }>({
      name: 'totals-latencies',
      text: `
        select type, latency, sum(count)::bigint as count
        from transaction_total
        where partition = $1 and step = $2 and at >= $3 and at < $4 and state = 'Completed' and latency >= 0
        group by type, latency`,
      values: [partition, step, from, to],
    });
  }
}

function asLatencies({ at, type, latencies }: LatenciesOfStep) {
  return latencies.map(([latency, count]) => ({ at, type, latency, count }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

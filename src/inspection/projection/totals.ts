import type { Statement } from '../../event-store/index.js';
import { type Step, stepOf, STEPS } from './period.js';

/** A transition of a transaction to a state. Amounts are centavos. */
export interface Transition {
  readonly type: string;
  readonly state: string;
  readonly amount: bigint;
  readonly at: Date;
  readonly registeredAt: Date;
  /** Of one that waited for its time: what it took is no measure of the rail. */
  readonly scheduledFor?: Date | null;
}

export interface Total {
  readonly step: Step;
  readonly at: Date;
  readonly type: string;
  readonly state: string;
  readonly latency: number;
  count: number;
  amount: bigint;
}

/** Logarithmic buckets: each is a tenth longer than the one before. */
const BUCKETS_PER_DOUBLING = 8;
/** Of a transition that measures nothing; buckets are 0 or more. */
const NO_LATENCY = -1;

/** The histogram bucket of a time from registration to completion. */
export function latencyBucket(milliseconds: number): number {
  return Math.round(BUCKETS_PER_DOUBLING * Math.log2(Math.max(1, milliseconds)));
}

/** The time that a bucket represents, in milliseconds. */
export function latencyOf(latency: number): number {
  return Math.round(2 ** (latency / BUCKETS_PER_DOUBLING));
}

/** The totals of transitions by step: minutes, hours and days. */
export function totalsOf(transitions: readonly Transition[]): Total[] {
  const minutes = new Map<string, Total>();
  for (const transition of transitions) add(minutes, ofMinute(transition));
  // By minute first: a minute has many transitions, and hours consist of whole minutes.
  const totals = new Map<string, Total>();
  for (const step of STEPS) {
    for (const minute of minutes.values()) add(totals, { ...minute, step, at: stepOf(step, minute.at) });
  }
  return [...totals.values()];
}

/** Adds transitions to the table. */
export function addTotals(partition: number, transitions: readonly Transition[]): Statement {
  const rows = totalsOf(transitions);
  return {
    name: 'transaction-total-add',
    text: `
      insert into transaction_total (partition, step, at, type, state, latency, count, amount)
      select $1, n.step, n.at, n.type, n.state, n.latency, n.count, n.amount
      from unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::smallint[], $7::bigint[], $8::numeric[])
        as n (step, at, type, state, latency, count, amount)
      on conflict (partition, step, at, type, state, latency) do update
      set count = transaction_total.count + excluded.count, amount = transaction_total.amount + excluded.amount`,
    values: [
      partition,
      rows.map(({ step }) => step),
      rows.map(({ at }) => at),
      rows.map(({ type }) => type),
      rows.map(({ state }) => state),
      rows.map(({ latency }) => latency),
      rows.map(({ count }) => count),
      rows.map(({ amount }) => amount),
    ],
  };
}

function add(totals: Map<string, Total>, total: Total): void {
  const key = `${total.step}/${total.at.getTime()}/${total.type}/${total.state}/${total.latency}`;
  const known = totals.get(key);
  if (!known) return void totals.set(key, total);
  known.count += total.count;
  known.amount += total.amount;
}

function ofMinute({ type, state, amount, at, registeredAt, scheduledFor }: Transition): Total {
  // A transfer is complete with its registration: there is no latency.
  const measured = state === 'Completed' && type !== 'Transfer' && !scheduledFor;
  const latency = measured ? latencyBucket(at.getTime() - registeredAt.getTime()) : NO_LATENCY;
  return { step: 'minute', at: stepOf('minute', at), type, state, latency, count: 1, amount };
}

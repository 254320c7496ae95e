import { readFile } from 'node:fs/promises';
import { OperatorApi } from '../../support/api.js';
import { openLoop, quantile, type Shot } from './open-loop.js';
import type { World } from './world.js';

export interface OverloadOptions {
  /** Commands in one commit at most: what the service is started with (`LEDGER_BATCH_SIZE`). */
  readonly batch: number;
  /** Milliseconds that each round trip to the database is slowed by. */
  readonly slow: number;
  /** How often what the service can do is offered. */
  readonly times: number;
  readonly seconds: number;
}

export interface OverloadFigures {
  readonly slow: number;
  /** Commands that the service answered in a second when it was offered somewhat more than it can do. */
  readonly capacity: number;
  readonly offered: number;
  /** At half of the capacity, before: what the others are measured against. */
  readonly calm: { readonly p50: number; readonly p99: number };
  readonly accepted: { readonly count: number; readonly perSecond: number; readonly p50: number; readonly p99: number };
  readonly refused: { readonly count: number; readonly p50: number; readonly p99: number };
  /** Answers that are neither, by status; none may be. */
  readonly others: Readonly<Record<string, number>>;
  readonly refusedWithoutRetryAfter: number;
  /** Megabytes: before, and the most during the overload. */
  readonly memory: { readonly before: number; readonly most: number };
  /** The control, asked beside it: what the same process takes to answer who only asks whether it lives. */
  readonly alive: { readonly p99: number };
  /** At half of the capacity, in the first seconds in which it was over, or the last that were looked at. */
  readonly after: After;
}

interface After {
  /** How long after the overload those seconds began. */
  readonly seconds: number;
  readonly refused: number;
  readonly p99: number;
  readonly aliveP99: number;
}

const PROBE_SECONDS = 4;
const CALM_SECONDS = 2;
const RECOVERY_SECONDS = 5;
const AFTER_SECONDS = 3;
/** A neighbour on the machine may take some of them; what is stuck takes all. */
const WINDOWS = 5;
const ALIVE_PER_SECOND = 50;
const SAMPLE_MS = 200;

/** Offers a service over a slowed database more than it can do, and looks what becomes of everybody. */
export async function overload(
  world: World,
  { batch, slow, times, seconds: duration }: OverloadOptions,
): Promise<OverloadFigures> {
  const [instance] = world.instances;
  const { account, token, partner } = world.actors[0]!;
  await new OperatorApi(instance!.url!).post(`/accounts/${account}/credits`, {
    amount: '1000000.00',
    reason: 'Overload',
  });
  const refAccountCredit = partner.accounts.find((uid) => uid !== account);
  const body = JSON.stringify({ refAccountCredit, transferAmount: '1.00' });
  const url = instance!.url!;
  const request = { url, method: 'POST', path: '/partners-int/accounts/transfer', token, body } as const;
  const load = (perSecond: number, seconds: number) => openLoop({ ...request, perSecond, seconds });
  const alive = { url, method: 'GET', path: '/health/live', token, perSecond: ALIVE_PER_SECOND } as const;
  const beside = (perSecond: number, seconds: number) =>
    Promise.all([load(perSecond, seconds), openLoop({ ...alive, seconds })]);
  const pid = instance!.process!.pid!;
  try {
    await load(50, 1);
    instance!.proxy.slow(slow);
    // The capacity of the slowed lane: one batch a round trip.
    const most = (batch * 1000) / slow;
    const probe = await load(most * 1.5, PROBE_SECONDS);
    const capacity = probe.filter((shot) => isAccepted(shot) && isAnsweredInProbe(shot)).length / (PROBE_SECONDS - 1);
    const calm = await load(capacity / 2, CALM_SECONDS);

    const before = await megabytes(pid);
    const memory = { before, most: before };
    const sampler = setInterval(
      () => void megabytes(pid).then((now) => (memory.most = Math.max(memory.most, now))),
      SAMPLE_MS,
    );
    const offered = Math.round(capacity * times);
    const [shots, control] = await beside(offered, duration);
    clearInterval(sampler);
    await load(capacity / 2, RECOVERY_SECONDS);
    let after: After;
    let windows = 0;
    do {
      const [settled, aliveAfter] = await beside(capacity / 2, AFTER_SECONDS);
      after = {
        seconds: RECOVERY_SECONDS + AFTER_SECONDS * windows,
        refused: settled.filter((shot) => !isAccepted(shot)).length,
        p99: quantile(settled, 0.99),
        aliveP99: quantile(aliveAfter, 0.99),
      };
      windows += 1;
    } while (!isOver(after, quantile(calm, 0.99)) && windows < WINDOWS);

    const accepted = shots.filter(isAccepted);
    const refused = shots.filter(isRefused);
    const others = shots.filter((shot) => !isAccepted(shot) && !isRefused(shot));
    return {
      slow,
      capacity: Math.round(capacity),
      offered,
      calm: { p50: quantile(calm, 0.5), p99: quantile(calm, 0.99) },
      accepted: { ...times50and99(accepted), perSecond: Math.round(accepted.length / duration) },
      refused: times50and99(refused),
      others: Object.fromEntries([...Map.groupBy(others, ({ status }) => status)].map(([s, of]) => [s, of.length])),
      refusedWithoutRetryAfter: refused.filter(({ retryAfter }) => !retryAfter).length,
      memory,
      alive: { p99: quantile(control, 0.99) },
      after,
    };
  } finally {
    instance!.proxy.slow(0);
  }
}

/**
 * What a service must keep to under too much load, against itself under half of what it can do. An accepted command
 * waits for a few batches only, however long the queue: without refusals the wait would grow to `times` the duration of
 * the load. @returns what it did not keep
 */
export function faultsOf(figures: OverloadFigures): string[] {
  const { accepted, refused, others, refusedWithoutRetryAfter, memory, after, calm, capacity } = figures;
  // What takes the processor from the service takes it from the control too.
  const held = 2 * figures.alive.p99;
  return [
    ...(accepted.p99 < 6 * calm.p99 + held ? [] : [`accepted requests took ${accepted.p99} ms (p99)`]),
    ...(accepted.perSecond > capacity * 0.7 ? [] : [`only ${accepted.perSecond} a second were done of ${capacity}`]),
    ...(refused.count > 0 ? [] : ['nothing was refused: that was no overload']),
    ...(refused.p99 < accepted.p99 + held ? [] : [`refusals took ${refused.p99} ms (p99)`]),
    ...(refusedWithoutRetryAfter === 0 ? [] : [`${refusedWithoutRetryAfter} refusals without Retry-After`]),
    ...(Object.keys(others).length === 0 ? [] : [`answers that are neither: ${JSON.stringify(others)}`]),
    ...(memory.most - memory.before < 300 ? [] : [`memory grew from ${memory.before} to ${memory.most} MB`]),
    ...(isOver(after, calm.p99) ? [] : [`it was not over ${after.seconds} s after: ${JSON.stringify(after)}`]),
  ];
}

/** It is over when the service is as it was before. */
function isOver({ refused, p99, aliveP99 }: After, calm: number): boolean {
  return refused === 0 && p99 < 2 * calm + 2 * aliveP99;
}

/** After its first second, and before it ended: the queue that it leaves is answered later. */
const isAnsweredInProbe = ({ sentAt, ms }: Shot) => sentAt + ms > 1_000 && sentAt + ms <= PROBE_SECONDS * 1_000;
const isAccepted = ({ status }: Shot) => status === 201;
const isRefused = ({ status }: Shot) => status === 503 || status === 429;

function times50and99(shots: readonly Shot[]) {
  return { count: shots.length, p50: quantile(shots, 0.5), p99: quantile(shots, 0.99) };
}

/** Resident memory of a process, as the system counts it. */
async function megabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

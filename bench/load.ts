import { readFileSync } from 'node:fs';
import { RawRequests } from '../test/support/raw-requests.ts';
import { KEY } from './item-keys.ts';

/**
 * The load generator, a process of its own: reads a plan from standard input, prints what it measured as JSON. The
 * first seconds, in which it opens its connections and has its own code compiled, are not counted.
 */
export interface LoadPlan {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second over all connections, an open loop; absent, each connection sends as soon as it is answered. */
  readonly rate?: number;
  /** Total requests of a closed loop; it ends with them, or with the seconds. Then all are counted. */
  readonly amount?: number;
  readonly method: 'GET' | 'POST';
  readonly requests: readonly { readonly path: string; readonly token?: string; readonly body?: string }[];
  /** Every request with an `Idempotency-Key` of its own. */
  readonly idempotent?: boolean;
  /** Items of each request's body, with keys that begin with `KEY`: it is replaced by one of the same length. */
  readonly items?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly succeeded: number;
  readonly failed: number;
  /** How many failed, by the status and the end of the answer. */
  readonly failures?: Readonly<Record<string, number>>;
  /**
   * Milliseconds; with a rate from the moment at which a request was due, so that a stall is seen in full (no
   * coordinated omission).
   */
  readonly latency: { readonly mean: number; readonly p50: number; readonly p99: number };
}

const plan = JSON.parse(readFileSync(0, 'utf8')) as LoadPlan;
const WARM_UP_MS = plan.amount !== undefined ? 0 : plan.rate !== undefined ? 2_000 : 1_000;

const raw = new RawRequests(plan.url);
const requests = plan.requests.map((request) => raw.parts({ method: plan.method, ...request }));
const run = `${Date.now()}`;
const latencies: number[] = [];
let failed = 0;
const failures: Record<string, number> = {};

const began = performance.now();
const counted = began + WARM_UP_MS;
const until = counted + plan.seconds * 1_000;

/** @param due when it should be sent */
async function shoot(n: number, due: number): Promise<void> {
  const { head, rest } = requests[(n * 4_999) % requests.length]!;
  const key = plan.idempotent ? `\r\nIdempotency-Key: ${run}-${n}` : '';
  const body = plan.items === undefined ? rest : rest.replaceAll(KEY, `${run.slice(-6)}${String(n).padStart(10, '0')}`);
  const { status, tail } = await raw.send(`${head}${key}${body}`);
  const isDone = status >= 200 && status < 300 && (plan.items === undefined || tail.includes('"error":0}'));
  if (!isDone) {
    failed += 1;
    const failure = `${status} ${tail}`;
    failures[failure] = (failures[failure] ?? 0) + 1;
  } else if (due >= counted) latencies.push(performance.now() - due);
}

/** Requests are due at fixed times, independent of earlier responses. */
async function openLoop(rate: number): Promise<void> {
  const every = 1_000 / rate;
  const pending: Promise<void>[] = [];
  for (let n = 0; began + n * every < until;) {
    const now = performance.now();
    for (; began + n * every <= Math.min(now, until); n++) pending.push(shoot(n, began + n * every));
    await new Promise((resume) => setTimeout(resume, 1));
  }
  await Promise.all(pending);
}

async function closedLoop(connections: number, amount = Infinity): Promise<void> {
  let sent = 0;
  const connection = async () => {
    for (let now = began; now < until && sent < amount; now = performance.now()) await shoot(sent++, now);
  };
  await Promise.all(Array.from({ length: connections }, connection));
}

await (plan.rate === undefined ? closedLoop(plan.connections, plan.amount) : openLoop(plan.rate));
const seconds = (performance.now() - counted) / 1_000;
raw.end();
latencies.sort((a, b) => a - b);
const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
const measured: LoadResult = {
  perSecond: latencies.length / seconds,
  succeeded: latencies.length,
  failed,
  failures,
  latency: {
    mean: latencies.reduce((sum, ms) => sum + ms, 0) / Math.max(1, latencies.length),
    p50: quantile(0.5),
    p99: quantile(0.99),
  },
};
process.stdout.write(JSON.stringify(measured));

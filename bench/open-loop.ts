import { readFileSync } from 'node:fs';
import { RawRequests } from '../test/support/raw-requests.ts';
import type { LoadPlan, LoadResult } from './load.ts';

/**
 * An open loop, in a process of its own: requests are due at fixed moments whatever becomes of those before, and each is
 * timed from the moment at which it was due, so that a stall of the service is seen in full (no coordinated omission).
 * Reads a plan with a rate from standard input, prints what it measured as JSON. The first seconds, in which this process
 * opens its connections and has its own code compiled, are not counted.
 */
const WARM_UP_MS = 2_000;

const plan = JSON.parse(readFileSync(0, 'utf8')) as LoadPlan & { readonly rate: number };
const raw = new RawRequests(plan.url);
const requests = plan.requests.map((request) => raw.parts({ method: plan.method, ...request }));
const run = `${Date.now()}`;
const latencies: number[] = [];
let failed = 0;

async function shoot(n: number, due: number): Promise<void> {
  const { head, rest } = requests[(n * 4_999) % requests.length]!;
  const key = plan.idempotent ? `\r\nIdempotency-Key: ${run}-${n}` : '';
  const { status } = await raw.send(`${head}${key}${rest}`);
  if (status < 200 || status >= 300) failed += 1;
  else if (due >= counted) latencies.push(performance.now() - due);
}

const began = performance.now();
const counted = began + WARM_UP_MS;
const until = WARM_UP_MS + plan.seconds * 1_000;
const every = 1_000 / plan.rate;
const underWay: Promise<void>[] = [];
for (let n = 0; n * every < until;) {
  const now = performance.now() - began;
  for (; n * every <= now && n * every < until; n++) underWay.push(shoot(n, began + n * every));
  await new Promise((resume) => setTimeout(resume, 1));
}
await Promise.all(underWay);
const seconds = (performance.now() - counted) / 1_000;
raw.end();
latencies.sort((a, b) => a - b);
const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
const measured: LoadResult = {
  perSecond: latencies.length / seconds,
  succeeded: latencies.length,
  failed,
  latency: {
    mean: latencies.reduce((sum, ms) => sum + ms, 0) / Math.max(1, latencies.length),
    p50: quantile(0.5),
    p99: quantile(0.99),
  },
};
process.stdout.write(JSON.stringify(measured));

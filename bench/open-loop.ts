import { readFileSync } from 'node:fs';
import { Agent } from 'undici';
import type { LoadPlan, LoadResult } from './load.ts';

/**
 * An open loop, in a process of its own: requests are due at fixed moments whatever becomes of those before, and each is
 * timed from the moment at which it was due, so that a stall of the service is seen in full (no coordinated omission).
 * Reads a plan with a rate from standard input, prints what it measured as JSON. The first seconds, in which this process
 * opens its connections and has its own code compiled, are not counted.
 */
const plan = JSON.parse(readFileSync(0, 'utf8')) as LoadPlan & { readonly rate: number };
const agent = new Agent({ connections: 1_024, pipelining: 1 });
const run = `${Date.now()}`;
const WARM_UP_MS = 2_000;
const latencies: number[] = [];
let failed = 0;

async function one(n: number, due: number): Promise<void> {
  const { path, token, body } = plan.requests[(n * 4_999) % plan.requests.length]!;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (plan.idempotent) headers['idempotency-key'] = `${run}-${n}`;
  try {
    const answer = await agent.request({ origin: plan.url, path, method: plan.method, headers, body: body ?? null });
    await answer.body.dump();
    if (answer.statusCode >= 400) failed += 1;
    else if (due >= counted) latencies.push(performance.now() - due);
  } catch {
    failed += 1;
  }
}

const began = performance.now();
const counted = began + WARM_UP_MS;
const until = WARM_UP_MS + plan.seconds * 1_000;
const underWay: Promise<void>[] = [];
const every = 1_000 / plan.rate;
for (let n = 0; n * every < until;) {
  const now = performance.now() - began;
  while (n * every <= now && n * every < until) {
    underWay.push(one(n, began + n * every));
    n += 1;
  }
  await new Promise((resume) => setTimeout(resume, 1));
}
await Promise.all(underWay);
const seconds = (performance.now() - counted) / 1_000;
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
await agent.close();

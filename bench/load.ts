import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

/** The load generator, a process of its own: reads a plan from standard input, prints what it measured as JSON. */
export interface LoadPlan {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second over all connections; absent, each connection sends as soon as it is answered. */
  readonly rate?: number;
  /** Requests in all; it ends with them, or with the seconds. */
  readonly amount?: number;
  readonly method: 'GET' | 'POST';
  readonly requests: readonly { readonly path: string; readonly token?: string; readonly body?: string }[];
  /** Every request with an `Idempotency-Key` of its own. */
  readonly idempotent?: boolean;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Milliseconds; corrected for coordinated omission when a rate was given. */
  readonly latency: { readonly mean: number; readonly p50: number; readonly p99: number };
}

const plan = JSON.parse(readFileSync(0, 'utf8')) as LoadPlan;
const requests = plan.requests.map(({ path, token, body }) => ({
  method: plan.method,
  path,
  body,
  headers: {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(plan.idempotent && { 'idempotency-key': '[<id>]' }),
  },
}));
let next = 0;
const result = await autocannon({
  url: plan.url,
  connections: plan.connections,
  duration: plan.seconds,
  ...(plan.idempotent && { idReplacement: true }),
  ...(plan.rate !== undefined && { overallRate: plan.rate }),
  ...(plan.amount !== undefined && { amount: plan.amount }),
  setupClient: (client) => {
    // Each connection starts elsewhere in the list, so that the load is spread from the first moment.
    const start = (next += Math.ceil(requests.length / plan.connections));
    client.setRequests([...requests.slice(start % requests.length), ...requests.slice(0, start % requests.length)]);
  },
});
const measured: LoadResult = {
  perSecond: result['2xx'] / result.duration,
  succeeded: result['2xx'],
  failed: result.non2xx + result.errors + result.timeouts,
  latency: { mean: result.latency.mean, p50: result.latency.p50, p99: result.latency.p99 },
};
process.stdout.write(JSON.stringify(measured));

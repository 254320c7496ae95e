import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { LoadPlan, LoadResult } from './load.ts';

/**
 * An open loop, in a process of its own: requests are due at fixed moments whatever becomes of those before, and each is
 * timed from the moment at which it was due, so that a stall of the service is seen in full (no coordinated omission).
 * Reads a plan with a rate from standard input, prints what it measured as JSON. The first seconds, in which this process
 * opens its connections and has its own code compiled, are not counted. It writes to sockets itself: an HTTP client takes
 * as much of the machine as the service does for its answer.
 */
const WARM_UP_MS = 2_000;
const HEAD_END = '\r\n\r\n';

const plan = JSON.parse(readFileSync(0, 'utf8')) as LoadPlan & { readonly rate: number };
const { hostname, port, host } = new URL(plan.url);
const run = `${Date.now()}`;
const requests = plan.requests.map(({ path, token, body = '' }) => ({
  head: [
    `${plan.method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
  ].join('\r\n'),
  body,
}));
const idle: Connection[] = [];
const latencies: number[] = [];
let failed = 0;
let open = 0;

/** A connection with one request under way at most. */
class Connection {
  readonly #socket: Socket = connect(Number(port), hostname).setNoDelay(true);
  #due = 0;
  #received = '';

  constructor() {
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#take(text));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      const at = idle.indexOf(this);
      if (at >= 0) idle.splice(at, 1);
      else this.#answered(false);
    });
  }

  send(text: string, due: number): void {
    this.#due = due;
    this.#received = '';
    this.#socket.write(text);
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf(HEAD_END);
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1] ?? 0);
    if (this.#received.length < end + HEAD_END.length + length) return;
    idle.push(this);
    this.#answered(this.#received.charAt('HTTP/1.1 '.length) === '2');
  }

  #answered(succeeded: boolean): void {
    open -= 1;
    if (!succeeded) failed += 1;
    else if (this.#due >= counted) latencies.push(performance.now() - this.#due);
  }
}

function shoot(n: number, due: number): void {
  const { head, body } = requests[(n * 4_999) % requests.length]!;
  const key = plan.idempotent ? `\r\nIdempotency-Key: ${run}-${n}` : '';
  open += 1;
  (idle.pop() ?? new Connection()).send(`${head}${key}${HEAD_END}${body}`, due);
}

const began = performance.now();
const counted = began + WARM_UP_MS;
const until = WARM_UP_MS + plan.seconds * 1_000;
const every = 1_000 / plan.rate;
for (let n = 0; n * every < until;) {
  const now = performance.now() - began;
  for (; n * every <= now && n * every < until; n++) shoot(n, began + n * every);
  await new Promise((resume) => setTimeout(resume, 1));
}
while (open > 0) await new Promise((resume) => setTimeout(resume, 1));
const seconds = (performance.now() - counted) / 1_000;
idle.splice(0).forEach((connection) => connection.end());
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

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/**
 * The partners' side of the bench, a process of its own: listens on many ports, verifies every delivery with the
 * `standardwebhooks` package, answers 200, and reports arrivals to its parent process. Dead ports never answer;
 * `/turning/<count>/<milliseconds>` answers that many requests at once and later ones after that time, without a
 * report.
 */
interface Instruction {
  readonly secrets?: readonly string[];
  readonly dead?: readonly number[];
  readonly report?: true;
}

export interface Arrivals {
  /** Milliseconds from the event's time to the arrival, by port, of deliveries that verified. */
  readonly delays: Readonly<Record<number, readonly number[]>>;
  /** `Date.now()` of each arrival, in order. */
  readonly times: readonly number[];
  readonly refused: number;
  readonly repeated: number;
}

let webhooks: Webhook[] = [];
let dead = new Set<number>();
let delays: Record<number, number[]> = {};
let times: number[] = [];
let refused = 0;
let repeated = 0;
const seen = new Set<string>();

function take(port: number, body: string, headers: Record<string, string>): void {
  const verified = webhooks.some((webhook) => {
    try {
      webhook.verify(body, headers);
      return true;
    } catch {
      return false;
    }
  });
  if (!verified) return void (refused += 1);
  const id = headers['webhook-id']!;
  if (seen.has(id)) repeated += 1;
  seen.add(id);
  const now = Date.now();
  const { stateCompletedDate } = JSON.parse(body) as { stateCompletedDate: string };
  (delays[port] ??= []).push(now - Date.parse(stateCompletedDate));
  times.push(now);
}

async function listen(): Promise<number> {
  let turned = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (dead.has(port)) return;
      const turning = /^\/turning\/(\d+)\/(\d+)$/.exec(request.url ?? '');
      if (turning)
        return void setTimeout(() => response.end(), (turned += 1) > Number(turning[1]) ? Number(turning[2]) : 0);
      take(port, Buffer.concat(chunks).toString(), request.headers as Record<string, string>);
      response.end();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return port;
}

process.on('message', (instruction: Instruction) => {
  if (instruction.secrets) webhooks = instruction.secrets.map((secret) => new Webhook(secret));
  if (instruction.dead) dead = new Set(instruction.dead);
  if (!instruction.report) return;
  const arrivals: Arrivals = { delays, times, refused, repeated };
  process.send!({ arrivals });
  [delays, times, refused, repeated] = [{}, [], 0, 0];
});
process.on('disconnect', () => process.exit());
process.send!({ ports: await Promise.all(Array.from({ length: Number(process.argv[2]) }, listen)) });

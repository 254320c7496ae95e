import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/**
 * A partner's receiver, as a process of its own: it verifies what arrives with the `standardwebhooks` package, tells
 * its parent of it, and answers as its parent has told it to for the path, `200` else. Run by Node itself, types
 * stripped.
 */

interface Receipt {
  path: string;
  id: string;
  headers: Record<string, string>;
  body: string;
  /** Which of the secrets it was given the signatures fit; -1 for none of them. */
  verifiedBy: number;
  /** `Date.now()` when the body was complete. */
  at: number;
  /** How it was answered. */
  behaviour: string;
}

const behaviours = new Map<string, string[]>();
const webhooksOf = (secrets: readonly string[]) => secrets.map((secret) => new Webhook(secret));
let webhooks = webhooksOf(JSON.parse(process.env.RECEIVER_SECRETS!) as string[]);
let batch: Receipt[] = [];
let ending = false;

const server = createServer((request, response) => {
  if (ending) return void request.socket.destroy();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (ending) return void request.socket.destroy();
    const headers = request.headers as Record<string, string>;
    const path = request.url ?? '';
    const body = Buffer.concat(chunks).toString();
    const behaviour = next(path);
    const id = headers['webhook-id'] ?? '';
    tell({ path, id, headers, body, verifiedBy: verify(body, headers), at: Date.now(), behaviour });
    answer(behaviour, request, response);
  });
});

function next(path: string): string {
  const all = behaviours.get(path) ?? [];
  return (all.length > 1 ? all.shift() : all[0]) ?? '200';
}

function verify(body: string, headers: Record<string, string>): number {
  return webhooks.findIndex((webhook) => {
    try {
      webhook.verify(body, headers);
      return true;
    } catch {
      return false;
    }
  });
}

/** Receipts of a moment go together: a message for each would slow a busy receiver. */
function tell(receipt: Receipt): void {
  batch.push(receipt);
  if (batch.length > 1) return;
  setTimeout(() => {
    process.send!({ receipts: batch });
    batch = [];
  }, 5);
}

function answer(behaviour: string, request: IncomingMessage, response: ServerResponse): void {
  const [what = '', detail] = behaviour.split(' ');
  if (what === 'hang') return;
  if (what === 'drop') return void request.socket.destroy();
  if (what === 'endless-headers') {
    request.socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => request.socket.write('x-more: 1\r\n'), 20);
    return void request.socket.once('close', () => clearInterval(timer));
  }
  if (what === 'huge') return pour(response, 100 * 1024 * 1024);
  if (what === 'slow') return void setTimeout(() => response.end(), Number(detail));
  const status = Number(what);
  response.writeHead(status, {
    ...(status === 429 && { 'retry-after': detail }),
    ...(status === 302 && { location: detail }),
  });
  response.end();
}

function pour(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-length': bytes });
  const chunk = Buffer.alloc(64 * 1024);
  let left = bytes;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}

process.on('message', (message: { secrets?: string[]; behave?: { path: string; as: string[] }; end?: true }) => {
  if (message.secrets) webhooks = webhooksOf(message.secrets);
  if (message.behave) behaviours.set(message.behave.path, message.behave.as);
  if (message.end) {
    ending = true;
    process.send!({ receipts: batch }, () => process.exit());
  }
});
process.on('disconnect', () => process.exit());
server.keepAliveTimeout = 30_000;
server.listen(Number(process.env.RECEIVER_PORT ?? 0), '127.0.0.1', () =>
  process.send!({ port: (server.address() as AddressInfo).port }),
);

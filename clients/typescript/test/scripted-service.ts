import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { afterEach } from '@jest/globals';
import { listenOnLoopback } from '../../../test/support/loopback.js';
import { PaymentsClient, type PaymentsClientOptions } from '../src/index.js';

/** A request as it came. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds. */
  readonly at: number;
}

/** An answer that begins, and ends or breaks off later. */
interface SlowAnswer {
  readonly status: number;
  readonly begins: string;
  readonly afterMs: number;
  readonly then: 'end' | 'cut';
}

/** One answer: a status with a body and headers, slow or at once, or the connection cut without any. */
export type Scripted =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | SlowAnswer
  | 'cut'
  | 'silence';

export interface ScriptedService {
  readonly url: string;
  /** Everything but logins. */
  readonly calls: Seen[];
  readonly logins: Seen[];
  close(): Promise<void>;
}

export const DONE: Scripted = { status: 200, body: { statusCode: 'Done', data: { id: 'the-answer' } } };

/** An error of the service, in its general shape. */
export function failure(status: number, name: string, headers: Record<string, string> = {}): Scripted {
  return { status, headers, body: { statusCode: 'Error', error: { name, message: name } } };
}

/** A real HTTP server on loopback that answers as told: each answer once, then the last one for ever. */
async function startScripted(
  answers: readonly Scripted[],
  login: (count: number) => Scripted = (count) => token(`token-${count}`),
): Promise<ScriptedService> {
  const [calls, logins]: [Seen[], Seen[]] = [[], []];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const isLogin = url === '/partners-int/login';
      const seen = isLogin ? logins : calls;
      seen.push({ method, path: url, headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
      reply(response, isLogin ? login(logins.length) : answers[Math.min(calls.length, answers.length) - 1]!);
    });
  });
  const { port, close } = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, calls, logins, close };
}

/** Of the test that runs. */
export let service: ScriptedService;

/** A client of a service that answers as told. A test has one, which ends with it. */
export async function scripted(
  answers: readonly Scripted[],
  options: Partial<PaymentsClientOptions> = {},
  login?: (count: number) => Scripted,
): Promise<PaymentsClient> {
  service = await startScripted(answers, login);
  return new PaymentsClient({ baseUrl: service.url, accessKey: 'key', secret: 'secret', ...options });
}

afterEach(() => service.close());

export function token(text: string, expiresIn = 3600): Scripted {
  return { status: 200, body: { statusCode: 'Done', data: { token: text, tokenType: 'Bearer', expiresIn } } };
}

function reply(response: ServerResponse, answer: Scripted): void {
  if (answer === 'cut') response.socket!.destroy();
  else if (answer === 'silence') return;
  else if ('begins' in answer) replySlowly(response, answer);
  else {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body === undefined ? '<html>' : JSON.stringify(answer.body));
  }
}

function replySlowly(response: ServerResponse, { status, begins, afterMs, then }: SlowAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.write(begins);
  const timer = setTimeout(() => (then === 'cut' ? response.socket?.destroy() : response.end()), afterMs);
  response.once('close', () => clearTimeout(timer));
}

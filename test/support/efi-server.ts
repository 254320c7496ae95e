import { randomBytes } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { EfiBooks, type EfiSent } from './efi-books.js';
import { listenOnLoopback } from './loopback.js';
import type { PspAnswer } from './model-psp-books.js';

/**
 * A stand-in of the PSP Efí, a process of its own: mutual TLS on one port, and on another what its parent has it do.
 * It follows the PSP's public documentation; the test drives it with the PSP's own SDK too.
 */

export interface EfiFault {
  /** Of `METHOD path`. */
  readonly pattern: string;
  /** `lost before`: nothing is done, and the connection breaks. `lost after`: it is done first. So with `hang`. */
  readonly kind: 'lost before' | 'lost after' | 'hang' | 'hang after' | 'status';
  readonly status?: number;
  readonly body?: unknown;
  readonly retryAfter?: number | string;
  /** Callbacks go out, and are answered, before the answer. */
  readonly callbackFirst?: boolean;
}

const CLIENT = JSON.parse(process.env.EFI_CLIENT!) as { id: string; secret: string };
const books = new EfiBooks();
const faults: EfiFault[] = [];
const requests: { method: string; path: string; body: unknown; status: number }[] = [];
const tokens = new Set<string>();
const callbacks = { to: '', on: true, twice: false, sent: 0 };
/** Faults that a request has met; those of chaos are not counted. */
let met = 0;
/** How long each request takes, milliseconds. */
let latency = 0;
/** One in so many requests is cut off, before or after the work; 0 is never. */
let chaos = 0;

async function callBack(pix: object[]): Promise<number> {
  const { pathname } = new URL(books.received.webhookUrl!);
  callbacks.sent += 1;
  const answer = await fetch(`${callbacks.to}${pathname}/pix`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pix }),
  }).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status ?? 0;
}

const pending = new Set<Promise<unknown>>();
books.onChange = (sent: EfiSent) => {
  if (!callbacks.on || !callbacks.to) return;
  for (let count = callbacks.twice ? 2 : 1; count > 0; count -= 1) {
    const one: Promise<unknown> = callBack([books.callbackOf(sent)]).finally(() => pending.delete(one));
    pending.add(one);
  }
};

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function token(request: IncomingMessage, body: any): PspAnswer {
  const basic = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64');
  if (request.headers.authorization !== `Basic ${basic}`) return { status: 401, body: { error: 'invalid_client' } };
  if (body?.grant_type !== 'client_credentials') return { status: 400, body: { error: 'unsupported_grant_type' } };
  const value = randomBytes(24).toString('base64url');
  tokens.add(value);
  return { status: 200, body: { access_token: value, token_type: 'Bearer', expires_in: 3_600, scope: 'pix.send' } };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await textOf(request);
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const [method, path] = [request.method!, request.url!];
  const at = faults.findIndex(({ pattern }) => new RegExp(pattern).test(`${method} ${path}`));
  const fault = at < 0 ? randomFault() : faults.splice(at, 1)[0]!;
  if (at >= 0) met += 1;
  const isAllowed =
    path === '/oauth/token' || tokens.has(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
  const isDone = !fault || fault.kind.endsWith(' after') || fault.callbackFirst;
  const done = isDone
    ? path === '/oauth/token'
      ? token(request, body)
      : isAllowed
        ? books.handle(method, path, body)
        : { status: 401, body: { nome: 'token_invalido' } }
    : undefined;
  if (fault?.callbackFirst) {
    await new Promise((resume) => setTimeout(resume, books.behaviour.endsAfterMs + 20));
    await Promise.all(pending);
  }
  const answer = fault?.kind === 'status' ? { status: fault.status!, body: fault.body } : done;
  requests.push({ method, path, body, status: answer && !fault?.kind.endsWith(' after') ? answer.status : 0 });
  if (latency > 0) await new Promise((resume) => setTimeout(resume, latency));
  if (fault?.kind.startsWith('hang')) return;
  if (fault && fault.kind !== 'status') return void response.destroy();
  response.writeHead(answer!.status, {
    'content-type': answer!.status < 400 ? 'application/json' : 'application/problem+json',
    ...(fault?.retryAfter !== undefined && { 'retry-after': String(fault.retryAfter) }),
  });
  response.end(answer!.body === undefined ? undefined : JSON.stringify(answer!.body));
}

function randomFault(): EfiFault | undefined {
  if (chaos === 0 || Math.random() * chaos >= 1) return undefined;
  const kinds = ['lost before', 'lost after', 'status'] as const;
  const kind = kinds[Math.floor(Math.random() * kinds.length)]!;
  return { pattern: '', kind, status: 500, body: { nome: 'erro_aplicacao', mensagem: 'erro' } };
}

/** What the parent may ask for. */
const orders: Record<string, (argument: any) => unknown> = {
  behave: (changes: object) => void Object.assign(books.behaviour, changes),
  callbacks: (changes: object) => void Object.assign(callbacks, changes),
  latency: (ms: number) => void (latency = ms),
  chaos: (one: number) => void (chaos = one),
  fail: (fault: EfiFault) => void faults.push(fault),
  faults: () => ({ met }),
  endAll: (status) => [...books.sent.keys()].forEach((idEnvio) => books.end(idEnvio, status)),
  forgetFaults: () => void (faults.length = 0),
  end: ({ idEnvio, status, codigo }) => books.end(idEnvio, status, codigo),
  sendBack: ({ idEnvio, valor }) => books.sendBack(idEnvio, valor),
  callBack: (pix: object[]) => callBack(pix),
  callbackOf: (idEnvio: string) => books.callbackOf(books.sent.get(idEnvio)!),
  pay: ({ txid, ...more }) => books.pay(txid, more),
  report: ({ endToEndId, valor }) => books.report(endToEndId, valor),
  giveBack: ({ endToEndId, valor, status }) => books.giveBack(endToEndId, valor, status),
  endGivingBack: (endToEndId: string) => books.endGivingBack(endToEndId),
  forget: (endToEndId: string) => books.forget(endToEndId),
  analyse: ({ idInfracao, status }) => void Object.assign(books.infractions.get(idInfracao), { status }),
  infraction: (idInfracao: string) => books.infractions.get(idInfracao),
  sent: () => [...books.sent.values()],
  cob: (txid: string) => books.received.cobs.get(txid),
  pix: (endToEndId: string) => books.receivedCallbackOf(endToEndId),
  config: () => books.config,
  saldo: (saldo: string | null) => void (books.saldo = saldo ?? undefined),
  webhookUrl: () => books.received.webhookUrl,
  requests: (pattern: string) => requests.filter(({ method, path }) => new RegExp(pattern).test(`${method} ${path}`)),
  line: () => ({ mostUnderWay: books.mostUnderWay, order: books.order }),
  forgetLine: () => void ((books.mostUnderWay = books.underWay), (books.order.length = 0)),
};

const tls = { cert: process.env.EFI_CERT!, key: process.env.EFI_KEY!, ca: process.env.EFI_CA! };
const psp = await listenOnLoopback(
  createServer(
    { ...tls, requestCert: true, rejectUnauthorized: true },
    (request, response) => void serve(request, response),
  ),
);
const control = await listenOnLoopback(
  createHttpServer((request, response) => {
    void textOf(request).then(async (text) => {
      const { order, argument } = JSON.parse(text) as { order: string; argument: unknown };
      response.end(JSON.stringify((await orders[order]!(argument)) ?? null));
    });
  }),
);
process.stdout.write(`${psp.port} ${control.port}\n`);
process.stdin.on('end', () => process.exit(0)).resume();

import {
  createServer as createHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { TestCertificate } from './certificates.js';
import { listenOnLoopback } from './loopback.js';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** SNI, over TLS. */
  readonly servername: string | false | null | undefined;
}

export interface Receiver {
  readonly port: number;
  /** Requests read whole. */
  readonly received: readonly Received[];
  /** TCP connections ever taken. */
  connections(): number;
  /** TCP connections open now. */
  openConnections(): number;
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A real HTTP(S) server on loopback that records what it gets, and answers as told. */
export async function startReceiver(answer: Answer, tls?: TestCertificate): Promise<Receiver> {
  const received: Received[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        servername: (request.socket as Partial<TLSSocket>).servername,
      });
      answer(response, request);
    });
  };
  return listen(tls === undefined ? createHttp(handle) : createHttps({ ...tls }, handle), received);
}

/** A server that speaks no HTTP of its own: `talk` gets each connection. */
export async function startRawReceiver(talk: (socket: Socket) => void): Promise<Receiver> {
  const server = createTcp((socket) => {
    talk(socket);
    socket.resume(); // a socket that nobody reads never sees its end
  });
  return listen(server, []);
}

/** A port on loopback where nothing listens. */
export async function deadPort(): Promise<number> {
  const receiver = await startRawReceiver(() => undefined);
  await receiver.close();
  return receiver.port;
}

async function listen(server: Server, received: readonly Received[]): Promise<Receiver> {
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const { port, open, close } = await listenOnLoopback(server);
  return { port, received, connections: () => connections, openConnections: () => open.size, close };
}
